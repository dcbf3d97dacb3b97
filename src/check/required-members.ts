import { quoteName, quoteText } from '../database/quote.ts'
import type { Column } from '../records/kind.ts'
import { KINDS, type KindName } from '../records/kinds.ts'
import { requirementOf } from '../records/requirements.ts'
import type { Check } from './check.ts'
import { isAbsent, recordsWhere, says, words } from './select-records.ts'

const kinds = Object.keys(KINDS) as KindName[]
const columnsOf = (kind: KindName) => KINDS[kind].columns as Readonly<Record<string, Column>>

/** For each member what is wrong with it where, as a SELECT of the records that have something of it. */
function recordsWith(kind: KindName, what: string, wrong: readonly (readonly [string, string])[]) {
  const list = wrong.map(([member, where]) => `iif(${where}, ${words(`, ${member}`)}, '')`)
  const where = wrong.map(([, condition]) => condition).join(' OR ')
  return recordsWhere(kind, where, says(words(what), `substr(${says(...list)}, 2)`))
}

/** A member that is named among `_rest` is there, although of another type. */
const isMissing = (kind: KindName, member: string): string =>
  isAbsent(member, columnsOf(kind)[member]?.optional ?? false)

/** Whether it is null: neither missing, nor of another type. */
const isGivenAsNull = (kind: KindName, member: string): string =>
  `(o.${quoteName(member)} IS NULL AND NOT ${isMissing(kind, member)} AND (o._rest IS NULL
    OR NOT json_valid(o._rest) OR json_type(o._rest, ${quoteText(`$."${member}"`)}) IS NULL))`

// Lists are looked at by checks of their own, thread and wiki too.
const isList = (kind: KindName, member: string) =>
  columnsOf(kind)[member]?.list !== undefined || member === 'pull_request_review_thread'

/** The members that records must have. */
export const requiredMemberChecks: readonly Check[] = [
  {
    code: 'member-missing',
    severity: 'error',
    summary: 'An importer needs these members in every record of the kind',
    source: 'the smallest records in archives that were imported',
    run(_, faults) {
      for (const kind of kinds) {
        const { required, orNull = [], parents = [] } = requirementOf(kind)
        const members = ['type', ...required, ...orNull].filter((m) => m !== 'url')
        const missing = members.map((member) => [member, isMissing(kind, member)] as const)
        const none = parents.map((member) => isMissing(kind, member)).join(' AND ')
        faults.addAll(
          recordsWith(kind, 'lacks', [
            ...missing,
            ...(none === '' ? [] : [[parents.join(' or '), none] as const]),
          ]),
        )
      }
    },
  },
  {
    code: 'member-null',
    severity: 'error',
    summary: 'These members must have a value: they say what a record is and where it belongs',
    source: 'observed in real exports, where they always have one',
    run(_, faults) {
      for (const kind of kinds) {
        const { required } = requirementOf(kind)
        const values = required.filter((member) => member !== 'url' && !isList(kind, member))
        if (values.length === 0) continue
        const isNull = values.map((member) => [member, isGivenAsNull(kind, member)] as const)
        faults.addAll(recordsWith(kind, 'has null for', isNull))
      }
    },
  },
  {
    code: 'emails-null',
    severity: 'error',
    summary: 'An importer looks for an address and stops at null; an empty list is fine',
    source: "importer's error message NoMethodError",
    run(_, faults) {
      for (const kind of ['users', 'bots'] as const) {
        // What is no list is told by list-expected.
        const where = isGivenAsNull(kind, 'emails')
        faults.addAll(recordsWhere(kind, where, "'emails is null; write []'"))
      }
    },
  },
]
