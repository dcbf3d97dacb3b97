const PLAIN = /^[ -~]*$/
const PLAIN_LINES = /^[ -~\t\n]*$/

// Cc is C0, DEL and C1; Cs is a surrogate without its partner. The rest is invisible or turns the
// reading direction. U+200D and U+200C stay: emoji and several scripts need them.
const CONTROLS =
  /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Shows control, bidi and invisible characters as escapes such as `\n`, `\x1b` and `\u{202e}`. */
export const escapeControls = (text: string): string =>
  PLAIN.test(text) ? text : text.replace(CONTROLS, escapeControl)

/** The same for text of several lines: line breaks (CRLF becomes LF) and tabs stay. */
export const escapeControlsButNewlines = (text: string): string =>
  PLAIN_LINES.test(text)
    ? text
    : text
        .replaceAll('\r\n', '\n')
        .replace(CONTROLS, (control) =>
          control === '\n' || control === '\t' ? control : escapeControl(control),
        )

/** Writes the same characters of a JSON text as `\uXXXX`: it parses to the same value. */
export const escapeControlsInJson = (json: string): string =>
  PLAIN.test(json) ? json : json.replace(CONTROLS, escapeAsJson)

function escapeControl(control: string): string {
  const code = control.codePointAt(0) ?? 0
  if (code > 0xff) return `\\u{${code.toString(16)}}`
  return SHORT[control] ?? `\\x${code.toString(16).padStart(2, '0')}`
}

function escapeAsJson(control: string): string {
  return Array.from(
    { length: control.length },
    (_, index) => `\\u${control.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
