import type { Kind } from '../../records/kinds/kind.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import type { ProblemAggregator } from '../../records/problem-aggregator.ts'
import type { PlacedRecord } from '../../records/read-records.ts'

/** Notes what of a record, and which of its members, its table does not foresee; `stem` is the kind by its file. */
export function noteOddities(
  tally: ProblemAggregator,
  { stem, name, kind }: { stem: string; name: string; kind: Kind },
  { entry, index, record }: PlacedRecord,
  unforeseen: readonly string[],
): void {
  const place = { entry, record: index }
  if (typeof record.url !== 'string') {
    tally.note('record-without-url', `a record of ${name} without a url`, place)
  }
  if (kindNamed(name) === undefined) {
    tally.note(
      'kind-unknown',
      `records of the unknown kind ${stem} are in the table ${name}`,
      place,
    )
    return
  }
  if (name !== stem) {
    tally.note('record-type', `a record of type ${kind.type} in a file of ${stem}`, place)
  }
  for (const member of unforeseen) {
    const known = member === 'type' || Object.hasOwn(kind.columns, member)
    if (known)
      tally.note('member-type', `${name}.${member} is of another type than expected`, {
        ...place,
        member,
      })
    else tally.note('member-unknown', `${name}.${member} is not known`, { ...place, member })
  }
}
