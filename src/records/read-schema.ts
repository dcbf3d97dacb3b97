import { isUtf8 } from 'node:buffer'
import type { Report } from '../base/errors.ts'
import { asBytes, type Bytes, collect } from '../base/streams.ts'
import { isObject, type JsonObject, type JsonValue } from './json/json.ts'
import { parseLossless } from './json/parse-lossless.ts'

/** The facts in schema.json: the format version, and the commit of GitHub's code that wrote it. */
export interface SchemaFacts {
  /** The version of the format, such as 1.2.0. */
  version?: string
  /** The commit of GitHub's code. */
  github_sha?: string
}

/** The longest schema.json or urls.json: one is a line, the other a screenful. */
const LARGEST = 2 ** 20

/**
 * The text of schema.json or urls.json, or its bytes if they are too many or not UTF-8, which is reported
 * (`schema-invalid`).
 */
export async function documentText(
  { path: entry, size, content }: { path: string; size: number; content: Bytes },
  report: Report,
): Promise<string | Bytes> {
  const refuse = (found: string) =>
    report({
      code: 'schema-invalid',
      place: { entry },
      message: `expected a JSON object, ${found}`,
    })
  if (size > LARGEST) {
    refuse(`found ${size} bytes; it was kept as a file`)
    return content
  }
  const bytes = await collect(content)
  if (isUtf8(bytes)) return bytes.toString('utf8')
  refuse('found bytes that are not UTF-8; it was kept as a file')
  return asBytes([bytes])
}

/** Reads schema.json. Reports `schema-invalid`, and `schema-version` for any version but 1.x. */
export function readSchema(text: string, report: Report): SchemaFacts {
  const document = readDocument('schema.json', text, report)
  if (!document) return {}
  const { version, github_sha } = document
  if (typeof version !== 'string' || !/^1\./.test(version)) {
    const message = `expected a version 1.x, found ${JSON.stringify(version ?? null)}`
    report({ code: 'schema-version', place: { entry: 'schema.json' }, message })
  }
  return {
    ...(typeof version === 'string' && { version }),
    ...(typeof github_sha === 'string' && { github_sha }),
  }
}

/** Reads schema.json or urls.json. Reports `schema-invalid` unless it is a JSON object. */
export function readDocument(
  entry: 'schema.json' | 'urls.json',
  text: string,
  report: Report,
): JsonObject | undefined {
  const value = parse(text)
  if (isObject(value)) return value
  report({ code: 'schema-invalid', place: { entry }, message: 'expected a JSON object' })
  return undefined
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}
