import { anyOf, aText, is, type Mismatch, type Shape } from '../base/check-arguments.ts'
import { closestMatch } from '../base/closest-match.ts'
import { ArchiveError } from '../base/errors.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { describeUnwritable } from './describe-unwritable.ts'

/** Plain JSON, which `JSON.stringify` prints completely. */
export const plainJson: Shape = (value) => {
  const fault = describeUnwritable(Object(value))
  return fault && { at: at(fault.member), expected: 'plain JSON', found: value, shown: fault.found }
}

const at = (member: string) => (member === '' || member.startsWith('[') ? member : `.${member}`)

const aTemplate = anyOf(
  'a template or several by name',
  aText,
  is('templates', (value) => Object.values(Object(value)).every((one) => typeof one === 'string')),
)

/** Shapes of URLs by kind, as in urls.json. */
export const urlTemplates: Shape = (value) => {
  const fault = plainJson(value)
  if (fault) return fault
  for (const [type, template] of Object.entries(Object(value))) {
    const mismatch: Mismatch | undefined = aTemplate(template)
    if (mismatch) return { ...mismatch, at: `.${type}${mismatch.at}` }
  }
  return undefined
}

/** Throws `kind-unknown` for unknown kinds in `records`, and for known ones in `otherRecords`. */
export function checkKinds({ records = {}, otherRecords = {} }: KindsGiven): void {
  const strange = Object.keys(records).find((name) => !kindNamed(name))
  if (strange !== undefined) {
    const meant = closestMatch(strange, Object.keys(KINDS))
    const hint = meant ? `; did you mean ${meant}?` : ''
    throw new ArchiveError('kind-unknown', `records.${strange}: there is no such kind${hint}`)
  }
  const known = Object.keys(otherRecords).find((name) => kindNamed(name))
  if (known === undefined) return
  throw new ArchiveError('kind-unknown', `otherRecords.${known}: this is a known kind`)
}

interface KindsGiven {
  records?: object | undefined
  otherRecords?: object | undefined
}
