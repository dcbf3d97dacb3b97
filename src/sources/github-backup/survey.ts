import type { JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { timeOf } from '../members.ts'
import type { GitPart } from '../source-repository.ts'
import { gitPathOf } from './git-path.ts'
import { type BackupPath, type BackupRole, unwrapThread } from './layout.ts'
import { assetNames, noteUploads, type Uploads } from './named-files.ts'

/** The facts of a repository that must be known before its records are made. */
export interface SurveyedRepository {
  /** The address of the host. */
  host: string
  owner: string
  name: string
  /** When a thread last changed, of the one that told the name. */
  at: string
  /** The addresses that its files have, in lower case: those of former names too. */
  addresses: Set<string>
  /** The address that the newest file has, in lower case. */
  address: string
  /** The threads that have a file, such as `pulls/7`. */
  threads: Set<string>
  uploads: Uploads
  /** Files of releases by their paths in the folder of the repository. */
  assets: Set<string>
  /** Its clones, and whether each has a work tree. */
  clones: Map<GitPart, boolean>
  /** Whether it has anything that records or Git data are made of. */
  isFilled: boolean
  /** Whether its name is known. */
  isNamed: boolean
}

/** The result of the first pass. */
export interface Survey {
  /** By their folders. */
  repositories: Map<string, SurveyedRepository>
  /** The time of the latest change that a file tells. */
  newest: string
  /** Addresses of all uploads. */
  uploads: Set<string>
}

export const startSurvey = (): Survey => ({
  repositories: new Map(),
  newest: '',
  uploads: new Set(),
})

/** Addresses of pages and of the interface that have the name of their repository. */
const PAGE =
  /^(https?:\/\/[^/]+(?:\/[^/]+)*?)\/([^/]+)\/([^/]+)\/(?:issues|pull|discussions|milestones?|releases)\//
/** The end of the address of a repository in that of its page. */
export const endOfAddress = (page: string): number => {
  const [, host = '', owner = '', name = ''] = PAGE.exec(page) ?? []
  return host === '' ? page.length : host.length + owner.length + name.length + 2
}

const LABEL = /^(https?:\/\/[^/]+)(\/api\/v3)?\/repos\/([^/]+)\/([^/]+)\/labels\//

/** Notes a file. Its text is read for the name of the repository and the time of the last change only. */
export function surveyFile(survey: Survey, place: BackupPath, bytes: Buffer | undefined): void {
  if (place.folder === '' && place.role === 'other') return
  const known = survey.repositories.get(place.folder)
  const repository = known ?? {
    host: '',
    owner: '',
    name: '',
    at: '',
    addresses: new Set(),
    address: '',
    threads: new Set(),
    uploads: { files: new Map(), threads: new Map() },
    assets: new Set(),
    clones: new Map(),
    isFilled: false,
    isNamed: false,
  }
  if (!known) survey.repositories.set(place.folder, repository)
  if (place.role === 'git') {
    const { part, hasWorkTree, path } = gitPathOf(place.inner)
    if (path === 'HEAD' && (hasWorkTree || !repository.clones.has(part))) {
      repository.clones.set(part, hasWorkTree)
      repository.isFilled = true
    }
    const remote = path === 'config' && bytes !== undefined ? remoteFacts(bytes) : undefined
    if (remote && !repository.isNamed) Object.assign(repository, remote, { isNamed: true })
    return
  }
  if (THREADS.has(place.role)) repository.threads.add(place.inner.replace(/\.json$/, ''))
  if (bytes === undefined) return
  repository.isFilled ||= /^\s*[[{]\s*["{]/.test(bytes.toString('latin1', 0, 100))
  if (place.role === 'manifest') {
    noteUploads(repository.uploads, place.inner, parsed(bytes), survey.uploads)
    return
  }
  if (place.role === 'release') {
    const folder = place.inner.replace(/\.json$/, '')
    const release = parsed(bytes)
    const names = isObject(release) ? assetNames(release) : []
    for (const name of names) repository.assets.add(`${folder}/${name}`)
  }
  const facts = place.role === 'labels' ? labelFacts(bytes) : pageFacts(bytes, place.role)
  if (facts === undefined) return
  if (facts.at > survey.newest) survey.newest = facts.at
  const address = `${facts.host}/${facts.owner}/${facts.name}`.toLowerCase()
  repository.addresses.add(address)
  if (repository.isNamed && facts.at <= repository.at) return
  Object.assign(repository, facts, { isNamed: true, address })
}

/** Threads, which may have uploads. */
export const THREADS: ReadonlySet<BackupRole> = new Set(['issue', 'pull', 'discussion'])

/** The value of a file; null for a damaged one, which the second pass reports. */
function parsed(bytes: Buffer): JsonValue {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

type Facts = Pick<SurveyedRepository, 'host' | 'owner' | 'name' | 'at'>

function pageFacts(bytes: Buffer, role: BackupRole): Facts | undefined {
  const [page, changed] = role === 'discussion' ? ['url', 'updatedAt'] : ['html_url', 'updated_at']
  const parts = PAGE.exec(memberOf(bytes, page) ?? '')
  if (!parts) return undefined
  const [, host = '', owner = '', name = ''] = parts
  return { host, owner, name, at: timeOf(memberOf(bytes, changed) ?? '') ?? '' }
}

function labelFacts(bytes: Buffer): Facts | undefined {
  const parts = LABEL.exec(memberOf(bytes, 'url') ?? '')
  if (!parts) return undefined
  const [, at = '', enterprise, owner = '', name = ''] = parts
  const host = enterprise ? at : at.replace('://api.', '://')
  return { host, owner, name, at: '' }
}

/** The repository that a clone was made of. Its address may have a password, which is not used. */
function remoteFacts(config: Buffer): Facts | undefined {
  const [, url = ''] = /\[remote "origin"\][^[]*?\burl *= *(\S+)/.exec(config.toString()) ?? []
  const parts =
    /^(?:(https?:\/\/|ssh:\/\/)(?:[^@/]*@)?([^/]+)\/|[^@/]+@([^:/]+):)([^/]+)\/([^/]+?)(?:\.wiki)?(?:\.git)?\/?$/.exec(
      url,
    )
  if (!parts) return undefined
  const [, scheme, inUrl, inShort, owner = '', name = ''] = parts
  const host = `${scheme === 'http://' ? scheme : 'https://'}${(inUrl ?? inShort ?? '').replace(/:22$/, '')}`
  return { host, owner, name, at: '' }
}

/**
 * The text of a member at the top of a JSON object, or of the first object of a list. The program prints each at the
 * beginning of a line, so the rest need not be parsed; other files are.
 */
function memberOf(bytes: Buffer, name: string): string | undefined {
  const head = bytes.toString('latin1', 0, 13)
  const indent = head.startsWith('{\n    "') ? 4 : head === '[\n    {\n     ' ? 8 : undefined
  if (indent !== undefined) {
    const start = `\n${' '.repeat(indent)}"${name}": "`
    // Members are in the order of their names: comments and events come before the address and the time of a thread.
    const at = bytes.lastIndexOf(start)
    if (at >= 0) {
      const from = at + start.length
      return bytes.toString('utf8', from, Math.max(from, bytes.indexOf('"', from)))
    }
  }
  const value = unwrapThread(parsed(bytes))
  const object = Object(Array.isArray(value) ? value[0] : value) as Record<string, unknown>
  const found = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof found === 'string' ? found : undefined
}
