import type { Format } from './format.ts'
import { formatJson, formatNdjson } from './format-json.ts'
import { formatMarkdown } from './format-markdown.ts'
import { formatRaw } from './format-raw.ts'
import { formatCsv, formatTsv } from './format-separated.ts'
import { formatTable } from './format-table.ts'

/** Every value of `--format`. */
export const FORMATS = {
  table: { summary: 'aligned columns, cut to the width of the terminal', format: formatTable },
  json: { summary: 'an array with one object per row', format: formatJson },
  ndjson: { summary: 'one JSON object per line', format: formatNdjson },
  csv: { summary: 'comma-separated values (RFC 4180)', format: formatCsv },
  tsv: { summary: 'tab-separated values, with \\t, \\n and \\\\ in cells', format: formatTsv },
  markdown: { summary: 'a table for Markdown', format: formatMarkdown },
  raw: { summary: 'the bare values, exactly as stored', format: formatRaw },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS

/** Whether a text is one of the format names. */
export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name)
}
