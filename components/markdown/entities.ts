/**
 * Character references, `&amp;` to `&`: the parser leaves them for an HTML parser, and here no HTML is ever parsed.
 *
 * The numeric ones are complete; of the 2,231 named ones these are those that people and models write.
 *
 * @module
 */

/** Names by the code of the first character of a run: `160 nbsp iexcl` names U+00A0 and U+00A1. `-` skips one. */
const RUNS = [
  "34 quot",
  "38 amp apos",
  "60 lt - gt",
  "160 nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr",
  "176 deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest",
  "192 Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml",
  "208 ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig",
  "224 agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml",
  "240 eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml",
  "913 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau Upsilon",
  "934 Phi Chi Psi Omega",
  "945 alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau",
  "965 upsilon phi chi psi omega",
  "8194 ensp emsp",
  "8201 thinsp",
  "8211 ndash mdash",
  "8216 lsquo rsquo sbquo - ldquo rdquo bdquo",
  "8224 dagger Dagger bull",
  "8230 hellip",
  "8240 permil - prime Prime",
  "8249 lsaquo rsaquo",
  "8364 euro",
  "8482 trade",
  "8592 larr uarr rarr darr harr",
  "8656 lArr uArr rArr dArr hArr",
  "8704 forall - part exist - empty - nabla isin notin - ni - - - prod - sum minus",
  "8730 radic - - prop infin",
  "8743 and or cap cup int",
  "8776 asymp",
  "8800 ne equiv - - le ge",
  "8834 sub sup nsub - sube supe",
  "9001 lang rang",
  "10003 check",
];

const NAMED: ReadonlyMap<string, string> = new Map(RUNS.flatMap((run) => {
  const [first, ...names] = run.split(" ");
  return names.map((name, index): [string, string] => [name, String.fromCharCode(Number(first) + index)]);
}));

/** The text with its character references replaced; those that are not known stay as they are written. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]*));/gi, (whole, hex, decimal, name) => {
    if (name) return name === "-" ? whole : NAMED.get(name) ?? whole;
    const code = hex ? parseInt(hex, 16) : Number(decimal);
    const shown = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return shown ? String.fromCodePoint(code) : "\ufffd";
  });
}
