/**
 * Time zones as people and models write them.
 *
 * @module
 */

/** A time zone's IANA name, or the sentence that says what would be one. */
export type FoundZone = { readonly zone: string } | { readonly problem: string };

/**
 * Finds a time zone by its IANA name in any case, by its city ("new york"), or by a fixed offset ("+05:30"). An unknown one is
 * answered with the accepted form and the nearest names.
 */
export function findZone(text: string): FoundZone {
  const wanted = text.trim();
  const key = keyOf(wanted);
  if (/^(?:utc|gmt|z)$/.test(key)) return { zone: "UTC" };
  if (/^[+-]\d{2}(?::?\d{2})?$/.test(wanted) && isZone(wanted)) return { zone: wanted };
  const zones = Intl.supportedValuesOf("timeZone");
  const exact = zones.find((zone) => keyOf(zone) === key);
  if (exact !== undefined) return { zone: exact };
  // Aliases (Asia/Calcutta, US/Pacific) are zones, but not in the list.
  if (wanted.includes("/") && isZone(wanted)) return { zone: wanted };
  const byCity = zones.filter((zone) => cityKeyOf(zone) === key.slice(key.lastIndexOf("/") + 1));
  const [only] = byCity;
  if (only !== undefined && byCity.length === 1) return { zone: only };
  return { problem: unknownZone(wanted, byCity.length > 1 ? byCity : nearest(key, zones)) };
}

function unknownZone(text: string, near: readonly string[]): string {
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  return `There is no time zone "${
    text.slice(0, 60)
  }".${hint} Write it as an IANA name, such as Europe/Berlin, America/New_York or UTC`;
}

/** At most three zones whose name or city begins the same or is nearly the same. */
function nearest(key: string, zones: readonly string[]): readonly string[] {
  const city = key.slice(key.lastIndexOf("/") + 1);
  if (city.length < 3 || city.length > 40) return [];
  return zones
    .map((zone) => ({ zone, distance: cityKeyOf(zone).startsWith(city) ? 0.5 : differences(city, cityKeyOf(zone)) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(city.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ zone }) => zone);
}

/** Letters to add, drop or change to get from one word to the other. */
function differences(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[\s-]+/g, "_");
}

function cityKeyOf(zone: string): string {
  return keyOf(zone.slice(zone.lastIndexOf("/") + 1));
}

function isZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
