import { isRawNumber, type JsonObject, type JsonValue } from '../records/json/json.ts'

/** What people read of a record of any kind: where text and Markdown differ only in their form. */
export interface RecordInWords {
  readonly title: string
  /** `pull request`; `record` if it has no type. */
  readonly type: string
  /** The other members that are not empty, and the lengths of lists, in the order of the record. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Texts in Markdown, which are shown below the facts. */
  readonly texts: readonly string[]
}

const TITLES = ['title', 'name', 'login', 'tag_name', 'asset_name', 'file_name', 'url'] as const
const TEXTS = ['body', 'description', 'bio'] as const
const HIDDEN: readonly string[] = ['type', ...TEXTS]

/** Puts a record into words. Controls are not escaped. */
export function recordInWords(record: JsonObject): RecordInWords {
  const [title = ''] = textsOf(record, TITLES)
  const [type = 'record'] = textsOf(record, ['type'])
  const facts = Object.entries(record).flatMap(([name, value]) => {
    const words = HIDDEN.includes(name) ? undefined : inWords(value)
    return words === undefined ? [] : [[name, words] as const]
  })
  return { title, type: type.replaceAll('_', ' '), facts, texts: textsOf(record, TEXTS) }
}

const textsOf = (record: JsonObject, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const { [name]: value } = record
    return typeof value === 'string' && value.trim() !== '' ? [value] : []
  })

/** Undefined for empty values and objects. */
function inWords(value: JsonValue): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : `${value.length}`
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isRawNumber(value)) return value.rawJSON
  return typeof value === 'object' ? undefined : String(value)
}
