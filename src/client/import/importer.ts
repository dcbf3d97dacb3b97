import { ArchiveError } from '../../base/errors.ts'
import { isObject, type JsonObject, type JsonValue, textOrEmpty } from '../../records/json/json.ts'
import { ClientError } from '../client-error.ts'
import type { Session } from '../open-session.ts'
import { type GraphAnswer, mutate, query } from './ask-graph.ts'

/** The states of an import; the last three are the end. */
const IMPORT_STATES = [
  'NOT_STARTED',
  'QUEUED',
  'PENDING_VALIDATION',
  'IN_PROGRESS',
  'SUCCEEDED',
  'FAILED',
  'FAILED_VALIDATION',
] as const

/** The state of an import. `SUCCEEDED`, `FAILED` and `FAILED_VALIDATION` are the end. */
export type ImportState = (typeof IMPORT_STATES)[number]

export const hasEnded = (state: ImportState): boolean =>
  state === 'SUCCEEDED' || state === 'FAILED' || state === 'FAILED_VALIDATION'

/** The organization that shall own what is imported. */
export interface Organization {
  id: string
  databaseId: number
  login: string
}

/** An import of one repository, as a server describes it. */
export interface RepositoryMigration {
  id: string
  state: ImportState
  sourceUrl: string
  /** Empty if the server does not say. */
  createdAt: string
  failureReason: string | null
  warnings: number
  logUrl: string | null
}

const MIGRATION = `id sourceUrl createdAt state failureReason warningsCount migrationLogUrl`

/** The organization with a login. */
export async function findOrganization(
  session: Session,
  login: string | undefined,
): Promise<Organization> {
  if (login === undefined) {
    const message = 'organization: expected a login, found undefined'
    throw new ArchiveError('option-invalid', message).about('organization')
  }
  const { data } = await query(session, {
    document: `query($login: String!) {
      organization(login: $login) { login id name databaseId }
    }`,
    variables: { login },
  })
  const { organization } = data
  if (!isObject(organization)) {
    const message = `the server has no organization ${login}`
    throw new ClientError('request-refused', message, { status: 404 })
  }
  const { databaseId } = organization
  if (!Number.isSafeInteger(databaseId)) throw broken('an organization without a number')
  return {
    id: idIn(organization),
    databaseId: Number(databaseId),
    login: textOrEmpty(organization.login) || login,
  }
}

/** Makes a source of archives. Several of one name do no harm. */
export async function createSource(session: Session, ownerId: string, url: string) {
  const operation = {
    document: `mutation($name: String!, $url: String!, $ownerId: ID!, $type: MigrationSourceType!) {
      createMigrationSource(input: { name: $name, url: $url, ownerId: $ownerId, type: $type }) {
        migrationSource { id name url type }
      }
    }`,
    variables: { name: 'migration-archive', url, ownerId, type: 'GITHUB_ARCHIVE' },
  }
  const { data } = await mutate(session, operation, { retries: 2 })
  return idIn(objectIn(data.createMigrationSource, 'migrationSource'))
}

/** The variables of the mutation that starts an import. */
export interface Start {
  sourceId: string
  ownerId: string
  repositoryName: string
  sourceRepositoryUrl: string
  gitArchiveUrl: string
  metadataArchiveUrl: string
  skipReleases: boolean
  targetRepoVisibility: string
}

/** Starts an import, once. */
export async function startImport(session: Session, start: Start): Promise<RepositoryMigration> {
  const { data } = await mutate(session, {
    document: `mutation(
      $sourceId: ID!, $ownerId: ID!, $repositoryName: String!, $sourceRepositoryUrl: URI!,
      $continueOnError: Boolean, $gitArchiveUrl: String, $metadataArchiveUrl: String, $githubPat: String,
      $skipReleases: Boolean, $targetRepoVisibility: String
    ) {
      startRepositoryMigration(input: {
        sourceId: $sourceId, ownerId: $ownerId, repositoryName: $repositoryName,
        sourceRepositoryUrl: $sourceRepositoryUrl, continueOnError: $continueOnError,
        gitArchiveUrl: $gitArchiveUrl, metadataArchiveUrl: $metadataArchiveUrl, githubPat: $githubPat,
        skipReleases: $skipReleases, targetRepoVisibility: $targetRepoVisibility
      }) { repositoryMigration { ${MIGRATION} } }
    }`,
    // The importer writes as the caller.
    variables: { ...start, continueOnError: true, githubPat: (await session.token()) ?? null },
  })
  return parseImport(objectIn(data.startRepositoryMigration, 'repositoryMigration'))
}

/** An import with an id, and what the server says of the next time to ask. */
export async function readImport(
  session: Session,
  id: string,
  isNew: () => boolean,
): Promise<{ found: RepositoryMigration; headers: Headers }> {
  const operation = {
    document: `query($id: ID!) { node(id: $id) { ... on Migration { ${MIGRATION} } } }`,
    variables: { id },
  }
  const { data, headers } = await query(session, operation, isNew)
  return { found: parseImport(data.node), headers }
}

const MOST_LISTED = 100

/** The imports to one name of an organization. */
export async function listImports(
  session: Session,
  { login }: Organization,
  repositoryName: string,
): Promise<RepositoryMigration[]> {
  const { data } = await query(session, {
    document: `query($login: String!, $last: Int!, $repositoryName: String!) {
      organization(login: $login) {
        repositoryMigrations(last: $last, repositoryName: $repositoryName) { nodes { ${MIGRATION} } }
      }
    }`,
    variables: { login, last: MOST_LISTED, repositoryName },
  })
  const { nodes } = objectIn(data.organization, 'repositoryMigrations')
  return (Array.isArray(nodes) ? nodes : []).map(parseImport)
}

/** Somebody whose contributions were imported, and who may be reclaimed by an account. */
export interface Mannequin {
  /** The login. */
  login: string
  /** Identifies it on the server. */
  id: string
  /** The login of the account that has claimed it; null if none has. */
  claimant: string | null
}

/** The mannequins of an organization, page by page. */
export async function* mannequinsOf(
  session: Session,
  { id }: Organization,
): AsyncGenerator<Mannequin> {
  const document = `query($id: ID!, $first: Int!, $after: String) {
    node(id: $id) { ... on Organization {
      mannequins(first: $first, after: $after) {
        pageInfo { endCursor hasNextPage } nodes { login id claimant { login id } }
      }
    } }
  }`
  const seen = new Set<string | null>()
  for (let after: string | null = null; !seen.has(after); ) {
    seen.add(after)
    const operation = { document, variables: { id, first: 100, after } }
    const { data }: GraphAnswer = await query(session, operation)
    const { nodes, pageInfo } = objectIn(data.node, 'mannequins')
    for (const node of Array.isArray(nodes) ? nodes.filter(isObject) : []) {
      const claimant = isObject(node.claimant) ? textOrEmpty(node.claimant.login) : null
      yield { login: textOrEmpty(node.login), id: idIn(node), claimant }
    }
    if (!isObject(pageInfo) || pageInfo.hasNextPage !== true) return
    after = textOrEmpty(pageInfo.endCursor)
  }
  throw broken('a list without an end')
}

/** The id of the account with a login. */
export async function findUser(session: Session, login: string): Promise<string> {
  const { data } = await query(session, {
    document: 'query($login: String!) { user(login: $login) { id login } }',
    variables: { login },
  })
  if (!isObject(data.user)) {
    const message = `the server has no account ${login}`
    throw new ClientError('request-refused', message, { status: 404 })
  }
  return idIn(data.user)
}

/** Gives what a mannequin has done to an account: asks it first, or at once. */
export async function reclaim(
  session: Session,
  ids: { ownerId: string; sourceId: string; targetId: string },
  { invite }: { invite: boolean },
): Promise<void> {
  const name = invite ? 'createAttributionInvitation' : 'reattributeMannequinToUser'
  const operation = {
    document: `mutation($ownerId: ID!, $sourceId: ID!, $targetId: ID!) {
      ${name}(input: { ownerId: $ownerId, sourceId: $sourceId, targetId: $targetId }) {
        source { ... on Mannequin { id login } } target { ... on User { id login } }
      }
    }`,
    variables: ids,
  }
  // A second one changes nothing.
  await mutate(session, operation, { retries: 2 })
}

function parseImport(value: JsonValue | undefined): RepositoryMigration {
  if (!isObject(value) || Object.keys(value).length === 0) throw broken('no migration')
  const { failureReason, warningsCount, migrationLogUrl } = value
  const state = IMPORT_STATES.find((one) => one === value.state)
  if (state === undefined) throw broken(`an unknown state, ${JSON.stringify(value.state)}`)
  return {
    id: idIn(value),
    state,
    sourceUrl: textOrEmpty(value.sourceUrl),
    createdAt: textOrEmpty(value.createdAt),
    failureReason: textOrEmpty(failureReason) || null,
    warnings: Number.isSafeInteger(warningsCount) ? Number(warningsCount) : 0,
    logUrl: textOrEmpty(migrationLogUrl) || null,
  }
}

function objectIn(value: JsonValue | undefined, name: string): JsonObject {
  const found = isObject(value) ? value[name] : undefined
  if (isObject(found)) return found
  throw broken(`no ${name}`)
}

function idIn({ id }: JsonObject): string {
  if (typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id)) return id
  throw broken('something without an id')
}

const broken = (what: string) => new ClientError('server-failed', `the server described ${what}`)
