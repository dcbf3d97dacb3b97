import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { markdownLines } from '../output/markdown/render-markdown.ts'
import { wrapSpans } from '../output/wrap-spans.ts'
import { type Paper, wrapped } from './describe-text.ts'

const TITLES = ['title', 'name', 'login', 'tag_name', 'asset_name', 'file_name'] as const
/** Texts in Markdown, shown below the other members. */
const TEXTS = ['body', 'description', 'bio'] as const

/** A record of any kind for people: its members, the lengths of lists, and its text. */
export function* describeRecord(record: JsonObject, paper: Paper): Generator<SafeText> {
  const { bold, dim } = paper.styles
  const title = titleOf(record)
  yield* ended(
    wrapped(paper, [
      { text: safe`${escapeControls(title)} `, style: bold },
      { text: escapeControls(typeOf(record)), style: dim },
    ]),
  )
  const facts = factsOf(record)
  const left = Math.min(30, Math.max(0, ...facts.map(([name]) => name.length))) + 2
  for (const [name, value] of facts) {
    const [first = safe``, ...rest] = wrapSpans(
      [{ text: escapeControls(value) }],
      paper.width - left,
    )
    const lines = [safe`${dim(escapeControls(name).padEnd(left))}${first}`]
    yield* ended([...lines, ...rest.map((line) => safe`${safe` `.repeat(left)}${line}`)])
  }
  for (const text of textsOf(record)) {
    yield safe`\n`
    for (const line of markdownLines(text, paper)) yield safe`${line}\n`
  }
}

/** The same as Markdown. */
export function* recordMarkdown(record: JsonObject): Generator<SafeText> {
  yield safe`# ${escapeControls(titleOf(record))} (${escapeControls(typeOf(record))})\n\n`
  for (const [name, value] of factsOf(record)) {
    yield safe`- ${escapeControls(name)}: ${escapeControls(value)}\n`
  }
  for (const text of textsOf(record)) {
    const lines = text.trim().split(/\r?\n/)
    yield safe`\n${lines.map((line) => safe`> ${escapeControls(line)}`.trimEnd()).join('\n')}\n`
  }
}

const ended = (lines: readonly SafeText[]) => lines.map((line) => safe`${line}\n`)

const textOf = (value: JsonValue | undefined) =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

const titleOf = (record: JsonObject): string =>
  TITLES.map((name) => textOf(record[name])).find((title) => title !== undefined) ??
  textOf(record.url) ??
  ''

const typeOf = ({ type }: JsonObject) => (textOf(type) ?? 'record').replaceAll('_', ' ')

const textsOf = (record: JsonObject): string[] =>
  TEXTS.flatMap((name) => textOf(record[name]) ?? [])

function factsOf(record: JsonObject): [name: string, value: string][] {
  const hidden: readonly string[] = ['type', ...TEXTS]
  return Object.entries(record)
    .filter(([name]) => !hidden.includes(name))
    .flatMap(([name, value]): [string, string][] => {
      const shown = inWords(value)
      return shown === undefined ? [] : [[name, shown]]
    })
}

/** Undefined for empty values and objects. */
function inWords(value: JsonValue): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : `${value.length}`
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? undefined : String(value)
}
