import type { JsonObject } from '../../records/json.ts'
import type { Kind } from '../../records/kind.ts'
import { requirementOf } from '../../records/requirements.ts'
import type { Breach, Rule } from '../rule.ts'

/** Rules about which members a record has. */
export const RECORD_RULES: readonly Rule[] = [
  {
    code: 'rule-required-member',
    source: 'The smallest records that exporters of Bitbucket and Trac had imported; gh-gei #845.',
    why: 'Importers use these members without looking whether they are there.',
    test({ record, name, kind }) {
      const { required, orNull = [] } = requirementOf(name)
      const breaches: Breach[] = []
      for (const member of required) {
        if (!has(record, member)) breaches.push({ member, message: 'is missing' })
        else if (record[member] === null && !isList(kind, member))
          breaches.push({ member, message: 'must not be null' })
      }
      for (const member of orNull) {
        if (!has(record, member)) {
          breaches.push({ member, message: 'is missing; it may be null' })
        }
      }
      return breaches
    },
  },
  {
    code: 'rule-parent',
    source: 'All comments, events and attachments of the host.',
    why: 'What hangs on nothing, or on two things, cannot be put anywhere.',
    test({ record, name }) {
      const { parents } = requirementOf(name)
      if (!parents) return []
      const there = parents.filter((member) => has(record, member) && record[member] !== null)
      if (there.length === 1) return []
      const [member = '', second] = there.length > 1 ? there : parents
      const message = there.length > 1 ? `stands beside ${second}` : 'is missing, as is any other'
      return [{ member, message: `${message}: expected one of ${parents.join(', ')}` }]
    },
  },
]

/** Null in place of an array breaks a rule of its own. */
const isList = (kind: Kind, member: string): boolean => kind.columns[member]?.list !== undefined

/** Undefined is not written, and so not there. */
const has = (record: JsonObject, member: string): boolean =>
  Object.hasOwn(record, member) && record[member] !== undefined
