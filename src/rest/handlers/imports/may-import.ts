import type { Person } from '../../../reading/people/people.ts'
import type { RequestHead } from '../../request-context.ts'
import { readerOf } from '../find-in-path.ts'

/** The scope that a token needs to import. */
export const IMPORT_SCOPE = 'admin:org'

type Owner = Pick<Person, 'id' | 'login'>

/** Whether the caller may import into an organization: its owners may, with a token that may administer it. */
export const mayImport = (head: RequestHead, organization: Owner): boolean =>
  (head.caller?.scopes.includes(IMPORT_SCOPE) ?? false) && owns(head, organization)

/** Whether the caller owns an organization, with whatever token. */
export const owns = (head: RequestHead, { id, login }: Owner): boolean =>
  head.caller !== undefined &&
  readerOf(head).permissions.roleIn({ id, login }, head.caller.login) === 'admin'
