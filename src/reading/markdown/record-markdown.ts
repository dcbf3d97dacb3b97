import type { JsonObject } from '../../records/json/json.ts'
import { recordInWords } from '../record-in-words.ts'
import { addressOf, type DocumentLinks, NO_LINKS, plain, quoteMarkdown } from './thread-markdown.ts'

/** A record of any kind as Markdown, a piece at a time. Texts are quoted; control characters are escaped. */
export function* recordMarkdown(
  record: JsonObject,
  links: Pick<DocumentLinks, 'body'> = NO_LINKS,
): Generator<string> {
  const { title, type, facts, texts } = recordInWords(record)
  yield `# ${plain(title)} (${plain(type)})\n\n`
  for (const [name, value] of facts)
    yield `- ${/^\w+$/.test(name) ? name : plain(name)}: ${factMarkdown(value)}\n`
  for (const text of texts) yield* quoteMarkdown(text, links)
}

const factMarkdown = (value: string): string =>
  /^https?:\/\/\S+$/.test(value) ? `<${addressOf(value)}>` : plain(value)
