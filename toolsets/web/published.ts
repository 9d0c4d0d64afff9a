/**
 * When a page says that it was published.
 *
 * @module
 */

/** Where pages write it, the most reliable place first. */
const PLACES: readonly (readonly [selector: string, attribute: string])[] = [
  ["meta[property='article:published_time']", "content"],
  ["meta[itemprop=datePublished]", "content"],
  ["[itemprop=datePublished][datetime]", "datetime"],
  ["meta[name='citation_publication_date']", "content"],
  ["meta[name='parsely-pub-date']", "content"],
  ["meta[name='dc.date.issued' i]", "content"],
  ["meta[name='dcterms.date' i]", "content"],
  ["meta[name='dc.date' i]", "content"],
  ["meta[name=pubdate]", "content"],
  ["meta[name=date]", "content"],
  ["article time[datetime]", "datetime"],
  ["time[datetime]", "datetime"],
];

/** The date as the page writes it, or `null`. What its JSON-LD says goes first. */
export function publishedOf(document: Document): string | null {
  for (const script of document.querySelectorAll("script[type='application/ld+json']")) {
    const found = /"datePublished"\s*:\s*"([^"\\]{4,40})"/.exec(script.textContent ?? "")?.[1];
    if (found && isDate(found)) return found.trim();
  }
  for (const [selector, attribute] of PLACES) {
    const found = document.querySelector(selector)?.getAttribute(attribute)?.trim();
    if (found && found.length <= 40 && isDate(found)) return found;
  }
  return null;
}

function isDate(text: string): boolean {
  return /\d{4}/.test(text) && !Number.isNaN(Date.parse(text));
}
