const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// HTML has no control characters but white space, and no lone surrogates.
const UNSAFE = /[&<>"']|(?![\t\n\r])\p{Cc}|\p{Cs}|\p{Noncharacter_Code_Point}/gu

/** Most texts have none of these; a search for one of a simple class takes a fraction of the time. */
const PERHAPS_UNSAFE = /[^\t\n\r !#-%(-;=?-~\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd]/

/** Text as HTML, for content and quoted attributes. */
export const escapeHtml = (text: string): string =>
  PERHAPS_UNSAFE.test(text)
    ? text.replace(UNSAFE, (character) => ENTITIES[character] ?? '\ufffd')
    : text

const CHARACTERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ENTITIES).map(([character, entity]) => [entity, character])),
  '&#x27;': "'",
}

/** The text of HTML without tags that was written here. */
export const unescapeHtml = (html: string): string =>
  html.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => CHARACTERS[entity] ?? entity)
