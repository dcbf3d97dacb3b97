/**
 * Whatever takes the place of a value. The forms stand here a second time: a proof that asks the code that wrote them would share
 * its faults.
 */
const REPLACEMENT = new RegExp(
  [
    String.raw`\[(?:redacted [0-9a-hjkmnp-tv-z]{10}|secret [\w-]+ [0-9a-f]{8}|email|name|login|ip|secret|redacted)\]`,
    String.raw`\b(?:user|person)-[0-9a-hjkmnp-tv-z]{10}\b(?:@[\w.-]+)?`,
    String.raw`\b[0-9a-hjkmnp-tv-z]{10}@redacted\.invalid\b`,
    String.raw`\b(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}\b`,
    String.raw`\b2001:db8(?::[0-9a-f]{4}){6}\b`,
  ].join('|'),
  'g',
)

/** Whether a part of a text lies within a replacement: a word such as `redacted` is a part of many. */
export function isInReplacement(text: string, start: number, end: number): boolean {
  for (const { 0: found, index } of text.matchAll(REPLACEMENT)) {
    if (index <= start && end <= index + found.length) return true
  }
  return false
}

/** A text without replacements: a name that was removed may be a part of one. */
export const withoutReplacements = (text: string): string => text.replace(REPLACEMENT, '')
