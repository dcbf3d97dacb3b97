import { hash } from 'node:crypto'
import { notFound } from '../../../http/http-error.ts'
import type { Handler } from '../../request-context.ts'
import { toAccount, toOrganization, toOwnAccount } from '../../resources/people.ts'
import { findOrganization, findPerson, readerOf, renderingOf } from '../find-in-path.ts'

/** The caller. */
export const currentUser: Handler = (context) => {
  const { caller } = context
  if (!caller) throw notFound()
  const { people } = readerOf(context)
  const person = people.findByLogin(caller.login) ?? people.ofAccount(caller.login)
  const hasTwoFactor = caller.account.twoFactor !== undefined
  return { status: 200, body: toOwnAccount(renderingOf(context), person, hasTwoFactor) }
}

export const user: Handler = {
  find: (head) => void findPerson(head),
  answer(context) {
    const person = findPerson(context)
    const { people } = readerOf(context)
    const isSelf =
      context.caller !== undefined && people.findByLogin(context.caller.login)?.url === person.url
    return { status: 200, body: toAccount(renderingOf(context), person, isSelf) }
  },
}

export const organization: Handler = {
  find: (head) => void findOrganization(head),
  answer: (context) => ({
    status: 200,
    body: toOrganization(renderingOf(context), findOrganization(context)),
  }),
}

/** A picture for accounts whose record has none. It depends on the number alone. */
export const avatar: Handler = ({ params }) => {
  if (!/^\d{1,16}$/.test(params.id ?? '')) throw notFound()
  return {
    status: 200,
    text: drawPicture(params.id ?? ''),
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  }
}

const SQUARES = 5

/**
 * Draws 5 × 5 squares, the same on both sides, in a color: both follow from the number of an account.
 *
 * @returns SVG without scripts
 */
export function drawPicture(number: string): string {
  const bytes = Buffer.from(hash('sha256', number, 'hex'), 'hex')
  const half = Math.ceil(SQUARES / 2)
  const squares = Array.from({ length: SQUARES * half }, (_, i) => ({
    x: i % half,
    y: Math.floor(i / half),
    isFilled: (bytes[i] ?? 0) % 2 === 0,
  })).flatMap(({ x, y, isFilled }) =>
    isFilled ? [...new Set([x, SQUARES - 1 - x])].map((column) => `M${column} ${y}h1v1h-1z`) : [],
  )
  const hue = Math.round(((bytes[31] ?? 0) / 256) * 360)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7"><path fill="#f0f0f0" d="M-1-1h7v7h-7z"/><path fill="hsl(${hue} 50% 50%)" d="${squares.join('')}"/></svg>`
}
