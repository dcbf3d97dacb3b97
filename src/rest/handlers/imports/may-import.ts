import type { Person } from '../../../reading/people/people.ts'
import type { RequestHead } from '../../request-context.ts'
import { readerOf } from '../find-in-path.ts'

/** Scopes of which a token needs one to import. */
const SCOPES = ['admin:org', 'repo']

/** Whether the caller may import into an organization: its owners may, with a token that may write. */
export function mayImport(head: RequestHead, { id, login }: Pick<Person, 'id' | 'login'>): boolean {
  const { caller } = head
  if (!caller?.scopes.some((scope) => SCOPES.includes(scope))) return false
  return readerOf(head).permissions.roleIn({ id, login }, caller.login) === 'admin'
}
