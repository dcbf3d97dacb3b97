import { recordInWords } from '../../reading/record-in-words.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { markdownLines } from '../output/markdown/render-markdown.ts'
import { wrapSpans } from '../output/wrap-spans.ts'
import { type Paper, wrapped } from './describe-text.ts'

/** A record of any kind for people: its members, the lengths of lists, and its text. */
export function* describeRecord(record: JsonObject, paper: Paper): Generator<SafeText> {
  const { bold, dim } = paper.styles
  const { title, type, facts, texts } = recordInWords(record)
  yield* ended(
    wrapped(paper, [
      { text: safe`${escapeControls(title)} `, style: bold },
      { text: escapeControls(type), style: dim },
    ]),
  )
  const left = Math.min(30, Math.max(0, ...facts.map(([name]) => name.length))) + 2
  for (const [name, value] of facts) {
    const [first = safe``, ...rest] = wrapSpans(
      [{ text: escapeControls(value) }],
      paper.width - left,
    )
    const lines = [safe`${dim(escapeControls(name).padEnd(left))}${first}`]
    yield* ended([...lines, ...rest.map((line) => safe`${safe` `.repeat(left)}${line}`)])
  }
  for (const text of texts) {
    yield safe`\n`
    for (const line of markdownLines(text, paper)) yield safe`${line}\n`
  }
}

const ended = (lines: readonly SafeText[]) => lines.map((line) => safe`${line}\n`)
