import type { Report } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import { describeLoss } from './json/describe-loss.ts'
import type { JsonValue } from './json/json.ts'
import type { Loss } from './json/lossless-assembler.ts'
import { type LostPart, salvageElements } from './json/salvage-elements.ts'

/** What a damaged array of records holds, by its index from 1. What is lost is reported (`record-lost`). */
export async function* salvageRecords(
  content: Bytes,
  entry: string,
  { report, ...limits }: { depth: number; record: number; report: Report | undefined },
): AsyncGenerator<{ index: number; value: JsonValue }> {
  const lose = (index: number, loss: Loss) => report?.(describeLoss(loss, entry, index + 1))
  for await (const salvaged of salvageElements(content, { ...limits, lose })) {
    const index = salvaged.index + 1
    if ('lost' in salvaged) report?.(describeLost(salvaged.lost, entry, index))
    else yield { index, value: salvaged.value }
  }
}

function describeLost({ from, to, reason, text }: LostPart, entry: string, record: number) {
  const lost = to > from ? `; bytes ${from} to ${to - 1} of the file were left out` : ''
  return {
    code: 'record-lost' as const,
    place: { entry, record },
    message: reason + lost,
    ...(text && { content: JSON.stringify(text) }),
  }
}
