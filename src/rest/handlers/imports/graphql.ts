import { existsSync } from 'node:fs'
import { formatTime } from '../../../base/format-time.ts'
import { HttpError } from '../../../http/http-error.ts'
import { formatNodeId, type NodeType, parseNodeId } from '../../../interface/node-id.ts'
import type { Person } from '../../../reading/people/people.ts'
import { asTextOrNull } from '../../../reading/values.ts'
import { isObject, type JsonObject } from '../../../records/json/json.ts'
import { GraphqlFault, type Root, runGraphql } from '../../graphql/run-graphql.ts'
import type { Handler, RequestContext } from '../../request-context.ts'
import { toOrganization } from '../../resources/people.ts'
import { requireAuthorization } from '../../single-sign-on.ts'
import { refusalOfAddress } from '../../state/fetch-archive.ts'
import type { Import, Mannequin, MigrationSource, Visibility } from '../../state/imports.ts'
import { MOST_QUEUED } from '../../state/imports.ts'
import type { ImportsOfState } from '../../state/state.ts'
import { readerOf, renderingOf } from '../find-in-path.ts'
import { signedAddress } from '../signed-address.ts'
import { IMPORT_SCOPE, mayImport, owns } from './may-import.ts'

/** Answers the operations of the importer's client, on a server that takes imports. */
export const graphql: Handler = (context) => {
  const { imports } = context.server.state
  // Clients show the message to their users.
  if (!imports) throw new HttpError(404, NO_GRAPHQL)
  if (!context.caller) throw new HttpError(401, 'This endpoint requires you to be authenticated.')
  const { query, variables, operationName } = context.body
  if (typeof query !== 'string') throw new HttpError(400, 'A query attribute must be specified')
  const request = {
    query,
    variables: isObject(variables) ? variables : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
  return { status: 200, body: runGraphql(request, createRoot(context, imports)) }
}

export const enterpriseGraphql = graphql

const NO_GRAPHQL =
  'GraphQL is not offered here. Use the REST interface, for example: gh api repos/OWNER/NAME/issues'

interface StartInput {
  sourceId: string
  ownerId: string
  sourceRepositoryUrl: string
  repositoryName: string
  gitArchiveUrl?: string | null
  metadataArchiveUrl?: string | null
  skipReleases?: boolean | null
  continueOnError?: boolean | null
  targetRepoVisibility?: string | null
}

interface ClaimInput {
  ownerId: string
  sourceId: string
  targetId: string
}

const VISIBILITIES: readonly string[] = ['private', 'internal', 'public'] satisfies Visibility[]

/** A name that a repository may have. What ends in `.git` or `.wiki` is another address. */
const NAME = /^(?!\.{1,2}$)(?!.*\.(?:git|wiki)$)[\w.-]{1,100}$/i

const MOST_NODES = 100

/** The functions behind the operations, for one request. */
function createRoot(context: RequestContext, imports: ImportsOfState): Root {
  const { caller } = context
  const { people, repositories } = readerOf(context)
  const login = caller?.login ?? ''

  const noNode = (id: string) =>
    new GraphqlFault('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`)
  const numberOf = (id: string, type: NodeType): number => {
    const node = parseNodeId(id)
    if (node?.type !== type) throw noNode(id)
    return node.id
  }

  /** Throws unless the caller may import into an organization. */
  const requireImporter = (organization: Person, operation: string) => {
    try {
      requireAuthorization(context, organization.login)
    } catch (error) {
      throw new GraphqlFault('FORBIDDEN', (error as Error).message)
    }
    if (mayImport(context, organization)) return
    if (owns(context, organization)) {
      const granted = caller?.scopes.join(', ') || 'none'
      const message = `Your token has not been granted the required scopes: \`${operation}\` needs ${IMPORT_SCOPE}, and it has ${granted}`
      throw new GraphqlFault('INSUFFICIENT_SCOPES', message)
    }
    const message = `${login} does not have the correct permissions to execute \`${operation}\``
    throw new GraphqlFault('FORBIDDEN', message)
  }
  const ownerOf = (id: string, operation: string): Person => {
    const organization = people.findOrganizationByNumber(numberOf(id, 'Organization'))
    if (!organization) throw noNode(id)
    requireImporter(organization, operation)
    return organization
  }
  /** What belongs to an organization into which the caller may import; to others it is unknown. */
  const ofOwner = <Found extends { organization: string }>(found: Found | undefined) => {
    const organization = found && people.findOrganization(found.organization)
    return organization && mayImport(context, organization) ? found : undefined
  }

  const toUser = (person: Person): JsonObject => ({
    __typename: 'User',
    id: formatNodeId('User', person.number),
    databaseId: person.number,
    login: person.login,
    name: null,
  })
  const userOf = (name: string): Person => people.findByLogin(name) ?? people.ofAccount(name)
  const toMannequin = ({ id, login, claimant, createdAt }: Mannequin): JsonObject => ({
    __typename: 'Mannequin',
    id: formatNodeId('Mannequin', id),
    databaseId: id,
    login,
    email: null,
    claimant: claimant === undefined ? null : toUser(userOf(claimant)),
    createdAt: formatTime(createdAt),
  })
  const toSource = ({ id, name, url, type }: MigrationSource): JsonObject => ({
    __typename: 'MigrationSource',
    id: formatNodeId('MigrationSource', id),
    name,
    url: url ?? '',
    type,
  })
  const toMigration = (one: Import): JsonObject => ({
    __typename: 'RepositoryMigration',
    id: formatNodeId('RepositoryMigration', one.id),
    databaseId: String(one.id),
    continueOnError: one.options.continueOnError ?? true,
    createdAt: formatTime(one.createdAt),
    failureReason: one.failure ?? null,
    migrationLogUrl: existsSync(imports.logPath(one.guid))
      ? signedAddress(context, `/_imports/${one.guid}.log`, { purpose: 'log', name: one.guid })
      : null,
    migrationSource: toSource(one.source),
    repositoryName: one.repository,
    sourceUrl: one.options.sourceUrl,
    state: one.state,
    warningsCount: one.warnings,
  })
  const toOwner = (organization: Person) => ({
    __typename: 'Organization',
    id: formatNodeId('Organization', organization.number),
    databaseId: organization.number,
    login: organization.login,
    name: asTextOrNull(toOrganization(renderingOf(context), organization).name),
    url: organization.url,
    repositoryMigrations({
      first,
      last,
      repositoryName,
    }: Page & { repositoryName?: string | null }) {
      requireImporter(organization, 'repositoryMigrations')
      const page = { last: bounded(last ?? first), repository: repositoryName ?? undefined }
      return { nodes: imports.list(organization.login, page).map(toMigration) }
    },
    mannequins({
      first,
      after,
      login: name,
    }: Page & { after?: string | null; login?: string | null }) {
      requireImporter(organization, 'mannequins')
      const most = bounded(first)
      const page = { first: most + 1, after: cursorOf(after), login: name ?? undefined }
      const found = imports.listMannequins(organization.login, page)
      const nodes = found.slice(0, most)
      const end = nodes.at(-1)
      return {
        nodes: nodes.map(toMannequin),
        pageInfo: { endCursor: end ? String(end.id) : null, hasNextPage: found.length > most },
      }
    },
  })

  /** An upload of the caller, by its address. Another's is as unknown as none. Or an address that archives are fetched from. */
  const uploadOf = (address: string | null | undefined, organization: Person) => {
    if (address == null || address === '') return undefined
    const { fetchArchives: hosts = [] } = context.server.options
    if (hosts.length > 0 && !/^gei:/i.test(address)) {
      const refusal = refusalOfAddress(address, hosts)
      if (refusal === undefined) return address
      throw new GraphqlFault('UNPROCESSABLE', `No archive is fetched from this address: ${refusal}`)
    }
    const [, guid = ''] = /^gei:\/\/archive\/([0-9a-f-]{36})$/i.exec(address) ?? []
    if (guid === '') {
      const message = 'An archive is named by the gei:// address that its upload was answered with'
      throw new GraphqlFault('UNPROCESSABLE', message)
    }
    const owner = { owner: login, organization: organization.login }
    const upload = imports.uploads.find(guid.toLowerCase(), owner)
    if (!upload) throw new GraphqlFault('NOT_FOUND', `There is no archive at gei://archive/${guid}`)
    if (upload.isComplete) return upload.guid
    const message = `The upload of gei://archive/${guid} is not complete`
    throw new GraphqlFault('UNPROCESSABLE', message)
  }

  const start = (input: StartInput) => {
    const organization = ownerOf(input.ownerId, 'StartRepositoryMigration')
    const source = imports.findSource(numberOf(input.sourceId, 'MigrationSource'))
    if (!source || ofOwner(source) === undefined) throw noNode(input.sourceId)
    if (source.type !== 'GITHUB_ARCHIVE') {
      const message = `Archives are imported from a source of the type GITHUB_ARCHIVE, not ${source.type}`
      throw new GraphqlFault('UNPROCESSABLE', message)
    }
    const { repositoryName: repository, skipReleases, continueOnError } = input
    if (!NAME.test(repository)) {
      throw new GraphqlFault(
        'UNPROCESSABLE',
        `A repository cannot be called ${JSON.stringify(repository)}`,
      )
    }
    const sourceUrl = plainAddress(input.sourceRepositoryUrl)
    if (sourceUrl === undefined) {
      throw new GraphqlFault(
        'UNPROCESSABLE',
        'sourceRepositoryUrl is not the address of a repository',
      )
    }
    const visibility = (input.targetRepoVisibility ?? 'private').toLowerCase()
    if (!VISIBILITIES.includes(visibility)) {
      const message = `targetRepoVisibility is one of ${VISIBILITIES.join(', ')}`
      throw new GraphqlFault('UNPROCESSABLE', message)
    }
    const git = uploadOf(input.gitArchiveUrl, organization)
    const metadata = uploadOf(input.metadataArchiveUrl, organization)
    if (git === undefined && metadata === undefined) {
      throw new GraphqlFault('UNPROCESSABLE', 'gitArchiveUrl or metadataArchiveUrl must be given')
    }
    const fullName = `${organization.login}/${repository}`
    const started = repositories.findByName(fullName)
      ? 'taken'
      : imports.start({
          owner: login,
          organization: organization.login,
          repository,
          source,
          options: {
            sourceUrl,
            organizationUrl: organization.url,
            organizationLogin: organization.login,
            git,
            metadata,
            visibility: visibility as Visibility,
            skipReleases: skipReleases ?? false,
            continueOnError: continueOnError ?? true,
          },
        })
    if (started === 'taken') {
      throw new GraphqlFault('UNPROCESSABLE', `A repository called ${fullName} already exists`)
    }
    if (started === 'many') {
      const message = `At most ${MOST_QUEUED} migrations of an account can be queued`
      throw new GraphqlFault('RATE_LIMIT', message)
    }
    context.server.state.wake()
    return { repositoryMigration: toMigration(started) }
  }

  /** The mannequin and the user of a claim. */
  const claimOf = ({ ownerId, sourceId, targetId }: ClaimInput, operation: string) => {
    const organization = ownerOf(ownerId, operation)
    const mannequin = imports.findMannequin(numberOf(sourceId, 'Mannequin'))
    if (mannequin?.organization !== organization.login.toLowerCase()) throw noNode(sourceId)
    const user = people.findUserByNumber(numberOf(targetId, 'User'))
    if (!user) throw noNode(targetId)
    const { permissions } = readerOf(context)
    if (permissions.roleIn(organization, user.login) === undefined) {
      const message = `Target must be a member of the ${organization.login} organization`
      throw new GraphqlFault('UNPROCESSABLE', message)
    }
    return { mannequin, user }
  }

  return {
    viewer: () => toUser(userOf(login)),
    organization({ login: name }: { login: string }) {
      const found = people.findOrganization(name)
      if (found) return toOwner(found)
      const message = `Could not resolve to an Organization with the login of '${name}'.`
      throw new GraphqlFault('NOT_FOUND', message)
    },
    user({ login: name }: { login: string }) {
      const found = people.findByLogin(name) ?? (people.isAccount(name) ? userOf(name) : undefined)
      if (found?.kind === 'User') return toUser(found)
      throw new GraphqlFault(
        'NOT_FOUND',
        `Could not resolve to a User with the login of '${name}'.`,
      )
    },
    enterprise({ slug }: { slug: string }) {
      const message = `Could not resolve to a Business with the URL slug of '${slug}'.`
      throw new GraphqlFault('NOT_FOUND', message)
    },
    node({ id }: { id: string }) {
      const node = parseNodeId(id)
      const find: Readonly<Record<string, (number: number) => unknown>> = {
        Organization(number) {
          const found = people.findOrganizationByNumber(number)
          return found && toOwner(found)
        },
        User(number) {
          const found = people.findUserByNumber(number)
          return found && toUser(found)
        },
        RepositoryMigration(number) {
          const found = ofOwner(imports.find(number))
          return found && toMigration(found)
        },
        MigrationSource(number) {
          const found = ofOwner(imports.findSource(number))
          return found && toSource(found)
        },
        Mannequin(number) {
          const found = ofOwner(imports.findMannequin(number))
          return found && toMannequin(found)
        },
      }
      const found = node && Object.hasOwn(find, node.type) ? find[node.type]?.(node.id) : undefined
      if (found === undefined) throw noNode(id)
      return found
    },
    createMigrationSource({ input }: { input: SourceInput }) {
      const { name, url, type, ownerId } = input
      const organization = ownerOf(ownerId, 'CreateMigrationSource')
      if (name.length > 255) throw new GraphqlFault('UNPROCESSABLE', 'name is too long')
      const address = plainAddress(url ?? '') ?? null
      const asked = { organization: organization.login, name, url: address, type }
      return { migrationSource: toSource(imports.createSource(asked)) }
    },
    startRepositoryMigration: ({ input }: { input: StartInput }) => start(input),
    abortRepositoryMigration({ input }: { input: { migrationId: string } }) {
      const id = numberOf(input.migrationId, 'RepositoryMigration')
      if (!ofOwner(imports.find(id))) throw noNode(input.migrationId)
      return { success: imports.abort(id) }
    },
    /** Nothing is sent: who may sign in stands in the accounts file. */
    createAttributionInvitation({ input }: { input: ClaimInput }) {
      const { mannequin, user } = claimOf(input, 'CreateAttributionInvitation')
      return { source: toMannequin(mannequin), target: toUser(user) }
    },
    reattributeMannequinToUser({ input }: { input: ClaimInput }) {
      const { mannequin, user } = claimOf(input, 'ReattributeMannequinToUser')
      if (!imports.claim(mannequin.id, user.login)) {
        throw new GraphqlFault('UNPROCESSABLE', `${mannequin.login} is claimed by another account`)
      }
      context.server.state.wake()
      const source = imports.findMannequin(mannequin.id) as Mannequin
      return { source: toMannequin(source), target: toUser(user) }
    },
  }
}

interface Page {
  first?: number | null
  last?: number | null
}

interface SourceInput {
  name: string
  url?: string | null
  type: string
  ownerId: string
}

const bounded = (count: number | null | undefined): number =>
  Math.max(0, Math.min(count ?? MOST_NODES, MOST_NODES))

const cursorOf = (text: string | null | undefined): number =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0

/** An address without what may be secret in it; undefined for none. */
function plainAddress(text: string): string | undefined {
  if (text.length > 2_000 || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  return origin + pathname
}
