/**
 * One picture, large. Escape and a click beside it close it, the arrows walk through the pictures of the message, and the
 * focus goes back to the thumbnail.
 *
 * @module
 */
import type { VNode } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { ImageRef } from "../../core/log/entry.ts";
import { Icon } from "../shell/Icon.tsx";
import { size } from "../words.ts";
import { Actions } from "./actions.ts";
import { saveAddress } from "./save_address.ts";

export interface PictureDialogProps {
  readonly images: readonly ImageRef[];
  /** Which of them is shown. */
  readonly at: number;
  readonly onMove: (at: number) => void;
  readonly onClose: () => void;
}

export function PictureDialog({ images, at, onMove, onClose }: PictureDialogProps): VNode | null {
  const { basePath } = useContext(Actions);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const image = images[at];
  if (!image) return null;
  const { name, bytes, width, height, ref } = image;
  const many = images.length > 1;
  const step = (by: number) => onMove((at + by + images.length) % images.length);
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={name}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      onKeyDown={(event) => {
        if (!many || event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === "ArrowLeft") step(-1);
        else if (event.key === "ArrowRight") step(1);
        else return;
        event.preventDefault();
      }}
    >
      <div class="viewer-head">
        <p role="status" aria-live="polite">
          <span class="viewer-name">{name}</span>
          {many && <span class="help">{at + 1} of {images.length}</span>}
          <span class="help wide-only">{width && height ? `${width} × ${height}, ` : ""}{size(bytes)}</span>
        </p>
        {many && (
          <>
            <button type="button" class="tool-button" aria-label="The picture before" onClick={() => step(-1)}>
              <Icon name="prev" />
            </button>
            <button type="button" class="tool-button" aria-label="The next picture" onClick={() => step(1)}>
              <Icon name="next" />
            </button>
          </>
        )}
        <a class="tool-button" href={saveAddress(basePath, image)} download={name} aria-label="Save" title="Save">
          <Icon name="save" />
        </a>
        <button
          type="button"
          class="tool-button"
          aria-label="Close"
          autofocus
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="viewer-picture">
        <img key={ref} src={basePath + ref} alt={name} width={width} height={height} />
      </div>
    </dialog>
  );
}
