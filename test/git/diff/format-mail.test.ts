import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLineDiffer } from '../../../src/git/diff/diff-lines.ts'
import { diffTreesWith } from '../../../src/git/diff/diff-trees.ts'
import { formatMail } from '../../../src/git/diff/format-mail.ts'
import { createPatchFormatter } from '../../../src/git/diff/format-patch.ts'
import { readCommit, walkCommits } from '../../../src/git/history/walk-commits.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import type { Commit } from '../../../src/git/parse/parse-commit.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { THOROUGH } from '../../support/thorough.ts'

let history: GitHistory
beforeAll(async () => {
  history = await gitHistory()
})
afterAll(() => history.close())

const mailsOf = async (commits: readonly Commit[]): Promise<Buffer> => {
  const { objects } = openRepository(history.database, 'ada/kettle')
  const differ = createLineDiffer()
  const format = createPatchFormatter(objects, { binary: true })
  return Buffer.concat(
    commits.flatMap((commit, i) => {
      const [parent] = commit.parents
      const before = parent === undefined ? undefined : readCommit(objects, parent).tree
      const files = () => diffTreesWith(differ, objects, before, commit.tree)
      return [...formatMail(commit, { number: i + 1, total: commits.length }, files, format)]
    }),
  )
}

/** Commits without merges, as the program names them, oldest first. */
const commitsOf = (range: string): Commit[] => {
  const { objects } = openRepository(history.database, 'ada/kettle')
  const oids = gitText(history.directory, ['rev-list', '--no-merges', '--reverse', range]).trim()
  return oids.split('\n').map((oid) => readCommit(objects, oid))
}

describe('Mails of commits', () => {
  const sameByGit = async (range: string) => {
    const commits = commitsOf(range)
    const clone = mkdtempSync(join(tmpdir(), 'git-am-'))
    try {
      const start = commits[0]?.parents[0] ?? ''
      gitText(clone, ['clone', '-q', '--no-checkout', history.directory, '.'])
      gitText(clone, ['checkout', '-q', '--detach', start])
      const mails = (await mailsOf(commits)).toString('latin1')
      const identity = ['-c', 'user.name=x', '-c', 'user.email=x@x']
      gitText(clone, [...identity, 'am', '-q', '--keep-cr'], mails)
      const seen = (at: string, count: number) =>
        gitText(clone, ['log', '--format=%T%n%an <%ae> %ad%n%B', `-${count}`, at])
      const last = commits.at(-1)?.oid ?? ''
      expect(seen('HEAD', commits.length)).toBe(seen(last, commits.length))
    } finally {
      rmSync(clone, { recursive: true, force: true })
    }
  }
  const title = 'of %s make the same trees, authors, dates and messages by git am'
  test.each(['main~9..main'])(title, sameByGit)
  test.each(['topic~2..topic', 'v1.0~1..v1.0'])(title, THOROUGH, sameByGit)

  test('have encoded names and titles, dates in their zones, and numbers', async () => {
    const { objects } = openRepository(history.database, 'ada/kettle')
    const [commit] = walkCommits(objects, [commitsOf('main~1..main')[0]?.oid ?? ''])
    const odd = {
      ...(commit as Commit),
      author: { name: 'Zoë "Z." 水', email: 'z@x', seconds: 1_714_564_800, zone: '-0330' },
      message: 'Grüße\nin two lines\n\nBody 水\n',
    }
    const text = (
      await mailsOf([odd, { ...odd, author: { ...odd.author, name: 'A. B' } }])
    ).toString()
    expect(text).toContain(
      'From: =?UTF-8?q?Zo=C3=AB=20=22Z=2E=22=20=E6=B0=B4?= <z@x>\nDate: Wed, 1 May 2024 08:30:00 -0330\n',
    )
    expect(text).toContain('Subject: [PATCH 1/2] =?UTF-8?q?Gr=C3=BC=C3=9Fe=20in=20two=20lines?=\n')
    expect(text).toContain('From: "A. B" <z@x>\n')
    expect(text).toContain('charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\nBody 水\n---\n')
  })
})
