/** Text without its percent-encoding, or as it is if that is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `good%20first%20issue` of `https://H/o/r/labels/good%20first%20issue`: what follows the last slash. */
export const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

/** A regular expression, also one with the flag `u`, that matches a text literally. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Text, cut for a message: archives may have names of megabytes. */
export const shorten = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}...` : text

/** The order of texts by their code units, for `sort`. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
