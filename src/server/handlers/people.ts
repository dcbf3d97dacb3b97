import { foldCase } from '../catalog/names.ts'
import { notFound } from '../http/http-error.ts'
import type { Handler } from '../request-context.ts'
import { drawPicture } from '../resources/draw-picture.ts'
import {
  toAccount,
  toListedOrganization,
  toOrganization,
  toOwnAccount,
} from '../resources/people.ts'
import { findOrganization, findPerson, readerOf, renderingOf } from './find-in-path.ts'

/** The caller. */
export const currentUser: Handler = (context) => {
  const { caller } = context
  if (!caller) throw notFound()
  const { people } = readerOf(context)
  const person = people.findByLogin(caller.login) ?? people.ofAccount(caller.login)
  const hasTwoFactor = caller.account.twoFactor !== undefined
  return { status: 200, body: toOwnAccount(renderingOf(context), person, hasTwoFactor) }
}

/** The organizations that the caller belongs to, by login. */
export const userOrganizations: Handler = (context) => {
  const rendering = renderingOf(context)
  const { people, permissions } = rendering.reader
  const found = permissions
    .organizationsOf(context.caller?.login ?? '')
    .map((id) => people.byId(id, ''))
    .sort((a, b) => (foldCase(a.login) < foldCase(b.login) ? -1 : 1))
  const items = (offset: number, limit: number) =>
    found.slice(offset, offset + limit).map((each) => toListedOrganization(rendering, each))
  return { status: 200, list: { total: found.length, items } }
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
