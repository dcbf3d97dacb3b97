import { isUtf8 } from 'node:buffer'
import { type Bytes, peek } from '../streams.ts'
import {
  limitsOf,
  type PlacedRecord,
  type ReadRecordsOptions,
  readRecordBatches,
} from './read-records.ts'
import { RecordScanner, type SurveyedRecord } from './scan-records.ts'

/** Streams what a survey asks of the records of one entry; reports and throws as `readRecordBatches` does. */
export type SurveyReader = (
  content: Bytes,
  entry: string,
  options?: ReadRecordsOptions,
) => AsyncGenerator<PlacedRecord<SurveyedRecord>[]>

/** A reader for all entries of an archive, which makes objects of records only where they are not plain. */
export function openSurveyReader(): SurveyReader {
  const scanner = new RecordScanner()
  return async function* (content, entry, options = {}) {
    const { whole, depth } = limitsOf(options)
    const { head, bytes } = await peek(content, whole + 1)
    const isWhole = head.length <= whole && isUtf8(head)
    const records = isWhole ? scanner.scan(head, depth) : undefined
    if (records) yield records.map((record, i) => ({ record, entry, index: i + 1 }))
    else yield* readRecordBatches(bytes, entry, options)
  }
}
