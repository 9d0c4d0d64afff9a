/**
 * Where the sheet of all keys is, and how it opens; the sheet itself is drawn by the server.
 *
 * @module
 */

/** Its id, for buttons that open it. */
export const KEY_SHEET = "keys";

/** Opens the sheet, or closes it; the focus goes back to where it was. */
export function toggleKeySheet(): void {
  document.getElementById(KEY_SHEET)?.togglePopover();
}
