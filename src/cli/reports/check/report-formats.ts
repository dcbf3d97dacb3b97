import { checkAsJson } from './check-json.ts'
import { checkAsMarkdown } from './check-markdown.ts'
import type { ReportFormat } from './check-report.ts'
import { checkAsSarif } from './check-sarif.ts'
import { checkAsText } from './check-text.ts'

/** How the report of a check is written, by name. */
export const REPORT_FORMATS = {
  text: checkAsText,
  json: checkAsJson,
  sarif: checkAsSarif,
  markdown: checkAsMarkdown,
} as const satisfies Record<string, ReportFormat>
