import type { Database } from '../../database/open-database.ts'
import { gitPath } from '../objects/repository-files.ts'
import { findRef, type Ref, readRefs } from '../refs/read-refs.ts'
import type { GitFault, GitFaultCode, MakeFault } from './faults.ts'
import type { ObjectTable } from './object-table.ts'

interface RefProblem {
  code: Extract<GitFaultCode, 'git-ref-invalid' | 'git-refs-damaged' | 'git-ref-dangling'>
  entry: string
  message: string
}

/** The faults of the files of refs, which were noticed when they were loaded, and of HEAD. */
export function* verifyRefFiles(
  database: Database,
  repository: string,
  fault: MakeFault,
): Generator<GitFault> {
  const folder = gitPath(repository, '')
  const head = gitPath(repository, 'HEAD')
  const problems = database
    .prepare<[string, string], RefProblem>(
      `SELECT code, entry, message FROM problems
       WHERE code IN ('git-ref-invalid', 'git-refs-damaged', 'git-ref-dangling')
         AND entry >= ? AND entry < ? LIMIT 1000`,
    )
    .all(folder, `${folder}\u{10ffff}`)
  for (const { code, entry, message } of problems) {
    yield fault(entry === head ? 'git-head-missing' : code, message, { entry })
  }
  if (!problems.some(({ entry }) => entry === head)) yield* verifyHead(database, repository, fault)
}

function* verifyHead(database: Database, repository: string, fault: MakeFault) {
  const head = findRef(database, repository, 'HEAD')
  const place = { entry: gitPath(repository, 'HEAD') }
  if (head === undefined) {
    yield fault('git-head-missing', 'there is no HEAD', { entry: gitPath(repository) })
  } else if (head.target !== null && !head.target.startsWith('refs/heads/')) {
    yield fault('git-head-missing', `HEAD names ${head.target}, which is not a branch`, place)
  } else if (head.target !== null && findRef(database, repository, head.target) === undefined) {
    yield fault('git-head-unborn', `HEAD names ${head.target}, which does not exist`, place)
  }
}

/** The refs that name an object; HEAD only if it is detached. */
export function* namedObjects(
  database: Database,
  repository: string,
): Generator<Ref & { oid: string }> {
  for (const ref of readRefs(database, repository)) {
    const { name, oid, target } = ref
    if (oid !== null && !(name === 'HEAD' && target !== null)) yield { ...ref, oid }
  }
}

/** The faults of refs that name no object, or one of the wrong type. `isLost` are ids whose loss another fault reports. */
export function* verifyRefTargets(
  database: Database,
  repository: string,
  {
    table,
    fault,
    isLost,
  }: { table: ObjectTable; fault: MakeFault; isLost: (oid: string) => boolean },
): Generator<GitFault> {
  for (const { name, target } of readRefs(database, repository)) {
    // One that leads back to itself was reported above.
    if (target === null || name === 'HEAD' || findRef(database, repository, target)) continue
    yield fault('git-ref-dangling', `${name} names ${target}, which does not exist`)
  }
  for (const { name, oid } of namedObjects(database, repository)) {
    const number = table.findOid(oid)
    if (number === undefined) {
      if (isLost(oid)) continue
      yield fault('git-ref-dangling', `${name} names ${oid}, which does not exist`, { oid })
      continue
    }
    const type = table.typeOf(number)
    if (type === undefined || type === 'commit') continue
    const message = `${name} names a ${type}, not a commit`
    if (name === 'HEAD') yield fault('git-head-missing', message, { oid })
    else if (name.startsWith('refs/heads/')) yield fault('git-refs-damaged', message, { oid })
  }
}

/**
 * The refs under the name of another one, such as `refs/heads/a/b` beside `refs/heads/a`: packed-refs can have both, but a
 * clone or push stops there.
 */
export function* verifyRefNames(
  database: Database,
  repository: string,
  fault: MakeFault,
): Generator<GitFault> {
  /** Names that each begin with the one before, and the ref in whose place a folder would be. */
  const names: { name: string; inTheWay: string | undefined }[] = []
  for (const { name } of readRefs(database, repository, 'refs/')) {
    while (names.length > 0 && !name.startsWith(names.at(-1)?.name as string)) names.pop()
    const before = names.at(-1)
    const inTheWay = before && name.startsWith(`${before.name}/`) ? before.name : before?.inTheWay
    names.push({ name, inTheWay })
    if (inTheWay === undefined) continue
    yield fault('git-ref-conflict', `${name} and ${inTheWay} cannot both exist`)
  }
}
