import { escapeControls } from '../../base/escape-controls.ts'

/** A value of front matter. */
export type FrontValue =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | Readonly<Record<string, number>>

/**
 * The head of a Markdown file in YAML. Each text is one of JSON, which YAML has as well: a reader takes none for a date, number or
 * another member, whatever is in it. Controls are escaped.
 */
export function frontMatter(members: Readonly<Record<string, FrontValue>>): string {
  const lines = Object.entries(members).flatMap(([name, value]) => linesOf(name, value))
  return `---\n${lines.map((line) => `${line}\n`).join('')}---\n\n`
}

function linesOf(name: string, value: FrontValue): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${name}: []`]
    return [`${name}:`, ...value.map((each: string) => `  - ${quote(each)}`)]
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return [`${name}: {}`]
    return [`${name}:`, ...entries.map(([key, count]) => `  ${quote(key)}: ${count}`)]
  }
  return [`${name}: ${typeof value === 'string' ? quote(value) : value}`]
}

const quote = (text: string): string =>
  // YAML takes no noncharacters.
  JSON.stringify(escapeControls(text)).replace(/[\ufffe\uffff]/g, (character) =>
    character === '\ufffe' ? '\\ufffe' : '\\uffff',
  )
