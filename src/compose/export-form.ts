import type { JsonObject } from '../records/json/json.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import type { SchemaFacts } from '../records/read-schema.ts'
import { DESCRIBED_URLS, URL_SHAPES, type UrlShape, type UrlShapes } from '../rules/url-shapes.ts'

/** Whose archives the output resembles: those of GitHub, an enterprise server, or an exporter of another host. */
export const FORMS = ['github', 'ghes', 'exporter'] as const

/** Whose archives the output resembles: `github`, `ghes` for an enterprise server, or `exporter` for another host. */
export type ExportForm = (typeof FORMS)[number]

export interface FormOptions {
  /** Default `github`. */
  form?: ExportForm | undefined
  /** The content of schema.json. Default: the usual one for the form. */
  schema?: SchemaFacts | undefined
  /** The content of urls.json in the form `exporter`: shapes of URLs by the singular of their kind. */
  urls?: { readonly [type: string]: UrlShape } | undefined
}

/** The documents at the beginning of an archive by name, each on one line as GitHub writes it. */
export function documentsOf(
  { form = 'github', schema, urls }: FormOptions,
  kinds: readonly string[],
): [string, string][] {
  const version = { version: versionOf(form, kinds), ...schema }
  const documents: [string, JsonObject][] = [['schema.json', version]]
  if (form === 'exporter') documents.push(['urls.json', (urls ?? defaultUrls()) as JsonObject])
  return documents.map(([path, document]) => [path, JSON.stringify(document)])
}

/** Uploads came with 1.1.0, as far as is known; with 1.2.0 importers read urls.json. */
function versionOf(form: ExportForm, kinds: readonly string[]): string {
  if (form === 'exporter') return '1.2.0'
  const uploads = ['attachments', 'repository_files'].some((kind) => kinds.includes(kind))
  return form === 'github' && uploads ? '1.1.0' : '1.0.1'
}

/** The shapes of URLs in this form, by kind. */
export function urlShapesOf({ form = 'github', urls }: FormOptions): UrlShapes {
  if (form !== 'exporter' || urls === undefined) return URL_SHAPES
  return Object.fromEntries(
    Object.keys(URL_SHAPES).flatMap((kind) => {
      const shape = urls[typeOf(kind)]
      return shape === undefined ? [] : [[kind, shape]]
    }),
  )
}

const defaultUrls = () =>
  Object.fromEntries(DESCRIBED_URLS.map((kind) => [typeOf(kind), URL_SHAPES[kind]]))

const typeOf = (kind: string): string =>
  kind === 'labels' ? 'label' : KINDS[kind as keyof typeof KINDS].type
