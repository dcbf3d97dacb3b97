import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Ajv, { type ValidateFunction } from 'ajv'

const require = createRequire(import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(require.resolve(path), 'utf8'))

let known: ValidateFunction | undefined

/** Validates a report against the SARIF 2.1.0 schema of OASIS. */
export function sarifFaults(report: unknown): string[] {
  known ??= validator()
  known(report)
  return (known.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`)
}

function validator(): ValidateFunction {
  const ajv = new Ajv({ schemaId: 'auto', meta: false, allErrors: true })
  // The schema is written in an older draft than Ajv knows by itself.
  ajv.addMetaSchema(read('ajv/lib/refs/json-schema-draft-04.json'))
  return ajv.compile(read('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))
}
