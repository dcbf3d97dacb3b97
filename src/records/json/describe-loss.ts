import type { Problem } from '../../base/errors.ts'
import { shorten } from '../../base/text.ts'
import type { Loss } from './lossless-assembler.ts'

/** The problem for a loss. `path` leads from the record to the object. */
export function describeLoss(loss: Loss, entry: string, record: number): Problem {
  const inside = loss.path.reduce<string>(
    (way, step) =>
      typeof step === 'number' ? `${way}[${step}]` : `${way}${way && '.'}${shorten(step, LONGEST)}`,
    '',
  )
  if (loss.what === 'moved') {
    const message = `${JSON.stringify(inside || 'the record')} has members that are named like integers; they were put first`
    const content = JSON.stringify(loss.names)
    return { code: 'member-order', place: { entry, record, member: inside }, message, content }
  }
  const name = shorten(loss.name, LONGEST)
  const member = inside ? `${inside}.${name}` : name
  const message = `${JSON.stringify(name)} occurs again later; the later value was kept`
  const content = JSON.stringify({ [loss.name]: loss.earlier })
  return { code: 'member-repeated', place: { entry, record, member }, message, content }
}

const LONGEST = 100
