import { randomUUID } from 'node:crypto'
import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { isBroken } from '../../git/parse/git-object.ts'

import { NO_ACCOUNTS } from '../../http/access/accounts.ts'
import { authenticate } from '../../http/access/authenticate.ts'
import { checkHost, type HostRules } from '../../http/host.ts'
import { busy, HttpError, notFound } from '../../http/http-error.ts'
import { checkOrigin } from '../../http/origin.ts'
import { type Answered, type Reply, replyOrError, textReply } from '../../http/reply.ts'
import type { IncomingRequest } from '../../http/request.ts'

import { hasGitFiles } from '../../reading/git/git-files.ts'
import { gitPlace } from '../../reading/git/repository-git.ts'

import type { Viewer } from '../../reading/people/viewer.ts'
import type { ServerParts } from '../request-context.ts'
import { withSingleSignOn } from '../single-sign-on.ts'
import type { GitAddress } from './git-address.ts'
import { type GitClones, openGitClones } from './git-clones.ts'
import { createPlainFiles, type PlainFiles } from './plain-files.ts'
import { readGitRequest } from './read-git-request.ts'
import { createGitRunner, GitFailure, type GitRunner } from './upload-pack.ts'

/** Answers Git clients. */
export interface GitHost {
  readonly clones: GitClones
  readonly runner: GitRunner
  readonly plain: PlainFiles
  close(): Promise<void>
}

/**
 * Creates the part of the server that answers Git clients. Clones are kept below `folder`, or else in a temporary
 * folder.
 */
export function createGitHost(folder: string | undefined, program?: string): GitHost {
  const clones = openGitClones(folder)
  const runner = createGitRunner(program)
  return {
    clones,
    runner,
    plain: createPlainFiles(),
    async close() {
      runner.close()
      await clones.close()
    },
  }
}

const NEVER_CACHED = {
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
  Pragma: 'no-cache',
}

/** Answers a Git client. It never throws: every error becomes an answer. */
export async function answerGit(
  request: IncomingRequest,
  address: GitAddress,
  host: GitHost,
  parts: ServerParts,
  rules: HostRules,
): Promise<Answered> {
  let login: string | undefined
  const pass = async (): Promise<Reply> => {
    const { hosts, target, scheme, headers, method } = request
    const named = checkHost(hosts, target, rules)
    const origin = parts.options.baseUrl ?? `${scheme}://${named}`
    checkOrigin(method, headers, new URL(origin).origin, [])
    parts.catalog.requireReady()
    const caller = await authenticate(headers.get('authorization'), false, parts)
    login = caller?.login
    const viewer = caller && withSingleSignOn(caller, parts)
    const found = findGitData(address.name, viewer, parts)
    if (!found) throw unknown(viewer, parts)
    return answerPath(request, address.path, host, found)
  }
  const { reply, fault } = await replyOrError(() => pass().catch(explain), textReply)
  const headers = { ...NEVER_CACHED, 'X-Content-Type-Options': 'nosniff', ...reply.headers }
  return { reply: { ...reply, headers }, requestId: randomUUID(), login, fault }
}

/** A repository of a database, by its name in the archive. */
interface GitData {
  readonly database: Database
  readonly name: string
}

/** The Git data of a repository or wiki that the caller may read. */
function findGitData(name: string, viewer: Viewer, { catalog }: ServerParts): GitData | undefined {
  const { repositories, permissions } = catalog.read()
  const own = repositories.findByName(name)
  const isWiki = !own && /\.wiki$/i.test(name)
  const repository = isWiki ? repositories.findByName(name.slice(0, -'.wiki'.length)) : own
  if (!repository || !permissions.canRead(viewer, repository)) return undefined
  return gitPlace(repository, isWiki)
}

async function answerPath(
  request: IncomingRequest,
  path: string,
  host: GitHost,
  { database, name }: GitData,
): Promise<Reply> {
  const { method, raw, headers } = request
  const service = new URLSearchParams(raw.search).get('service')
  if (path === 'git-receive-pack' || service === 'git-receive-pack') throw readOnly()
  const isRead = method === 'GET' || method === 'HEAD'
  if (path === 'git-upload-pack' ? method !== 'POST' : !isRead) throw wrongMethod(path)
  if (!hasGitFiles(database, name)) throw notFound()
  const isSmart = path === 'git-upload-pack' || service === 'git-upload-pack'
  if (!isSmart || !(await host.runner.isInstalled())) {
    return host.plain.answer(database, name, path)
  }
  const isAdvertisement = path === 'info/refs'
  const kind = isAdvertisement ? 'advertisement' : 'result'
  const reply = {
    status: 200,
    headers: { 'Content-Type': `application/x-git-upload-pack-${kind}` },
  }
  if (method === 'HEAD') return reply
  const folder = await host.clones.folderOf(database, name)
  const protocol = headers.get('git-protocol')
  const output = host.runner.run(folder, {
    isAdvertisement,
    protocol,
    onGone: request.onGone,
    input: isAdvertisement
      ? undefined
      : readGitRequest(request.readBytes(), headers.get('content-encoding')),
  })
  // Before version 2 of the protocol, the list of refs begins with the name of the service.
  const isNamed = isAdvertisement && protocol !== 'version=2'
  return { ...reply, body: await begun(output, isNamed ? SERVICE : undefined) }
}

const SERVICE = Buffer.from('001e# service=git-upload-pack\n0000')

/** Await the first bytes, so that a fault before them can be answered with a status. */
async function begun(
  output: AsyncGenerator<Uint8Array>,
  before: Uint8Array | undefined,
): Promise<AsyncGenerator<Uint8Array>> {
  const first = await output.next()
  return (async function* () {
    try {
      if (before) yield before
      if (!first.done) yield first.value
      yield* output
    } finally {
      await output.return(undefined)
    }
  })()
}

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Git", charset="UTF-8"' }

/**
 * A stranger does not learn whether a repository is private or does not exist, and is asked for a token if the server
 * has accounts. Git shows the text when it has no more credentials to try.
 */
function unknown(viewer: Viewer, { accounts }: ServerParts): HttpError {
  if (viewer) return new HttpError(404, 'There is no such repository here, or you may not read it')
  if (accounts === NO_ACCOUNTS) {
    return new HttpError(404, `${NOT_PUBLIC}. Nobody can sign in to this server: see marc accounts`)
  }
  const message = `${NOT_PUBLIC}. For a private one, give a token of this server as the password`
  return new HttpError(401, message, { headers: CHALLENGE })
}

const NOT_PUBLIC = 'There is no public repository of this name here'

const readOnly = () =>
  new HttpError(403, 'This server only reads: it takes no pushes. Clone and fetch work.')

const wrongMethod = (path: string) => {
  const allowed = path === 'git-upload-pack' ? 'POST' : 'GET, HEAD'
  return new HttpError(405, 'Method Not Allowed', { headers: { Allow: allowed } })
}

/** Faults of a repository, which no client can repair. */
const UNREADABLE = new Set([
  'git-unsupported',
  'content-missing',
  'repository-not-found',
  'record-ambiguous',
])

/** Says what is wrong in the words of a Git client. */
function explain(error: unknown): never {
  if (error instanceof HttpError && error.status === 401) {
    throw new HttpError(401, error.message, { headers: { ...error.headers, ...CHALLENGE } })
  }
  if (error instanceof ArchiveError) {
    if (error.code === 'interrupted') throw busy(2)
    if (UNREADABLE.has(error.code)) throw new HttpError(404, error.message)
    if (isBroken(error)) throw new HttpError(404, `The Git data are damaged: ${error.message}`)
  }
  if (error instanceof GitFailure) throw new HttpError(502, UNANSWERED, { fault: error.message })
  throw error
}

const UNANSWERED =
  'Git cannot read this repository. The command marc repo fsck says what is damaged.'
