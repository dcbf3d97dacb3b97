import { escapeControls } from '../../base/escape-controls.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { recordInWords } from '../record-in-words.ts'

/** A record of any kind as Markdown, a piece at a time. Texts are quoted; control characters are escaped. */
export function* recordMarkdown(record: JsonObject): Generator<string> {
  const { title, type, facts, texts } = recordInWords(record)
  yield `# ${escapeControls(title)} (${escapeControls(type)})\n\n`
  for (const [name, value] of facts) yield `- ${escapeControls(name)}: ${escapeControls(value)}\n`
  for (const text of texts) {
    const lines = text.trim().split(/\r?\n/)
    yield `\n${lines.map((line) => `> ${escapeControls(line)}`.trimEnd()).join('\n')}\n`
  }
}
