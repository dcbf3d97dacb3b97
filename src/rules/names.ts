import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import type { MemberPath } from '../records/kinds/member-paths.ts'
import { testMembers } from './member-rule.ts'
import { isNamedInUrl, isOtherName } from './name-in-url.ts'
import { type Rule, shownValue } from './rule.ts'
import { KNOWN_MEMBERS } from './sql/known-members.ts'
import { recordsWhere, says, shown, words } from './sql/record-select.ts'

const isAbout = ({ text }: MemberPath, kind: string) => isNamedInUrl(`${kind} ${text}`)

/** SQL for the URL beside a name. */
function urlBeside(kind: string, { steps }: MemberPath): string {
  const path = [...steps.slice(0, -1), 'url'].join()
  return KNOWN_MEMBERS.find((each) => each.kind === kind && each.path.steps.join() === path)
    ?.text as string
}

/** Names in records, and in their URLs. */
export const nameRules: readonly Rule[] = [
  {
    code: 'name-url',
    severity: 'warning',
    summary: 'An importer reads a name from the URL, and the record has another or none',
    evidence: { seenIn: '759 records, and the labels in them' },
    source: 'observed in real exports',
    run(_, faults) {
      for (const { kind, path, text, isText, elements } of KNOWN_MEMBERS) {
        if (!isAbout(path, kind)) continue
        const url = urlBeside(kind, path)
        const where = `${text} IS NOT NULL AND marc_is_other_name('${kind} ${path.text}', ${url}, ${text})
          AND ${isText}`
        const message = says(words(`${path.text} is `), shown(text), words(' at '), shown(url))
        faults.addAll(recordsWhere(kind, where, message, elements))
      }
    },
    test: testMembers(isAbout, (value, path, { name, record }, member) => {
      const url = urlOf(record, member)
      return isOtherName(`${name} ${path.text}`, url, value)
        ? `does not end the URL ${shownValue(url ?? null)}: ${shownValue(value)}`
        : undefined
    }),
  },
]

/** The URL beside a name at a place such as `login` or `labels[2].name`. */
function urlOf(record: JsonObject, place: string): JsonValue | undefined {
  const [list, index] = place.split(/[[\]]/)
  if (index === undefined) return record.url
  const element = (record[list as string] as JsonValue[])[Number(index)]
  return isObject(element) ? element.url : undefined
}
