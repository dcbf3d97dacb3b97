import type { Report } from '../errors.ts'
import { isObject, type JsonValue, parseExactly } from './json.ts'

/** What schema.json says: the version of the form, and the commit of the host that wrote it. */
export interface SchemaFacts {
  version?: string
  github_sha?: string
}

/** Reads schema.json. Reports `schema-invalid`, and `schema-version` for any version but 1.x. */
export function readSchema(text: string, report: Report): SchemaFacts {
  const place = { entry: 'schema.json' }
  const value = parse(text)
  if (!isObject(value)) {
    report({ code: 'schema-invalid', place, message: 'expected a JSON object' })
    return {}
  }
  const { version, github_sha } = value
  if (typeof version !== 'string' || !/^1\./.test(version)) {
    const message = `expected a version 1.x, found ${JSON.stringify(version ?? null)}`
    report({ code: 'schema-version', place, message })
  }
  return {
    ...(typeof version === 'string' && { version }),
    ...(typeof github_sha === 'string' && { github_sha }),
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}
