import type { Caller } from '../http/access/caller.ts'
import { HttpError } from '../http/http-error.ts'
import { foldCase } from '../reading/names.ts'
import type { IndexedReader } from '../reading/reader.ts'
import type { RequestHead, ServerParts } from './request-context.ts'
import { signAuthorizationRequest } from './state/sign.ts'

const MESSAGE =
  'Resource protected by organization SAML enforcement. You must grant your personal token access to this organization.'

const DOCUMENTATION = 'https://developer.github.com/v3/auth/#authenticating-for-saml-sso'

/** Seconds for which the page that authorizes a token can be used. */
const LIFE = 3600

/**
 * A caller with the organizations with single sign-on that it belongs to, and that its token is not authorized for. Tokens
 * that were issued to applications need no authorization.
 */
export function withSingleSignOn(
  caller: Caller,
  { accounts, catalog, state }: Pick<ServerParts, 'accounts' | 'catalog' | 'state'>,
): Caller {
  const { tokenSha256, clientId, login } = caller
  const protecting = accounts.organizations.filter(({ sso }) => sso)
  // Most servers have no such organization: skip the queries.
  if (protecting.length === 0 || tokenSha256 === undefined || clientId !== undefined) return caller
  const authorized = new Set(accounts.findToken(tokenSha256)?.sso?.map(foldCase))
  const unauthorized = protecting
    .map((organization) => organization.login)
    .filter((name) => !authorized.has(foldCase(name)))
    .filter((name) => !state.authorizations.isGranted(tokenSha256, name))
    .filter((name) => concerns(name, login, catalog.read()))
  return unauthorized.length > 0 ? { ...caller, unauthorized } : caller
}

/** Whether a person is a member of an organization, or a collaborator of one of its repositories. */
function concerns(
  organization: string,
  login: string,
  { people, permissions, repositories }: IndexedReader,
): boolean {
  const id = people.findOrganization(organization)?.id
  if (permissions.roleIn({ id, login: organization }, login)) return true
  return permissions
    .repositoriesOf(login, ['collaborator'])
    .some((repository) => repositories.byId(repository)?.owner === id)
}

/**
 * Refuses a path below an organization that the token of the caller is not authorized for.
 *
 * @throws `HttpError` 403 with the address of the page that authorizes it
 */
export function requireSingleSignOn(head: RequestHead): void {
  const named = head.params.org ?? head.params.owner
  if (named !== undefined) requireAuthorization(head, named)
}

/** The same for an organization that a body names. */
export function requireAuthorization(head: RequestHead, organization: string): void {
  const { caller, origin, now, server } = head
  const name = caller?.unauthorized?.find((one) => foldCase(one) === foldCase(organization))
  if (!caller?.tokenSha256 || name === undefined) return
  const request = signAuthorizationRequest(server.state.signingKey, {
    tokenSha256: caller.tokenSha256,
    tokenLastEight: caller.tokenLastEight ?? '',
    organization: name,
    expires: Math.floor(now.getTime() / 1000) + LIFE,
  })
  const address = `${origin}/orgs/${encodeURIComponent(name)}/sso?authorization_request=${request}`
  const required = `required; url=${address}`
  throw new HttpError(403, MESSAGE, {
    headers: { 'X-GitHub-SSO': required, 'X-Service-SSO': required },
    documentationUrl: DOCUMENTATION,
  })
}

/**
 * Endpoints that list over several organizations. They leave out private items of organizations that need an
 * authorization.
 */
const LISTS = ['userIssues', 'userRepositories', 'listUserMigrations']
/** Lists of that kind if the caller asks for their own. */
const OWN_LISTS = ['userEvents', 'receivedEvents']

/** Headers that name the organizations of which something may have been left out of a list. */
export function partialResults(head: RequestHead): Readonly<Record<string, string>> {
  const { caller, endpoint, params, server } = head
  const unauthorized = caller?.unauthorized ?? []
  const isOwn = foldCase(params.username ?? '') === foldCase(caller?.login ?? '')
  const isList = LISTS.includes(endpoint.handler) || (isOwn && OWN_LISTS.includes(endpoint.handler))
  if (!isList || unauthorized.length === 0) return {}
  const { people } = server.catalog.read()
  const numbers = unauthorized
    .map((name) => people.findOrganization(name)?.number ?? people.numberOf('Organization', name))
    .sort((a, b) => a - b)
  const partial = `partial-results; organizations=${numbers.join(',')}`
  return { 'X-GitHub-SSO': partial, 'X-Service-SSO': partial }
}
