/** What says how others get it: the file of the container, and the workflows of the host. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PACKAGE = JSON.parse(read('package.json'))
const NODE: string = PACKAGE.devDependencies.node

describe('The file of the container', () => {
  // A line that ends with a backslash goes on, and comments begin with a number sign.
  const instructions = read('Dockerfile')
    .replace(/\\\n/g, '')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)] as const)
  const all = (name: string) => instructions.filter(([each]) => each === name).map(([, it]) => it)
  const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'))

  test('begins with one exact version, which is that of the tests', () => {
    const images = all('FROM').map((from) => from.split(' ', 1)[0])
    expect(new Set(images)).toEqual(new Set([`node:${NODE}-bookworm-slim`]))
  })

  test('runs marc for a user without rights, in the folder of the data', () => {
    const value = (name: string) => last.findLast(([each]) => each === name)?.[1]
    expect(value('USER')).toBe('node')
    expect([value('WORKDIR'), value('VOLUME')]).toEqual(['/data', '/data'])
    expect(value('ENTRYPOINT')).toBe(JSON.stringify(Object.keys(PACKAGE.bin).slice(0, 1)))
  })

  test('writes outside of the data only below /tmp', () => {
    expect(
      all('ENV')
        .join(' ')
        .match(/\S+(?==)/g),
    ).toEqual(['XDG_CACHE_HOME', 'XDG_STATE_HOME'])
    expect(
      all('ENV')
        .join(' ')
        .match(/(?<==)\S+/g),
    ).toEqual(['/tmp/cache', '/tmp/state'])
  })
})

describe.each(readdirSync(join(ROOT, '.github/workflows')))('The workflow %s', (name) => {
  const text = read(`.github/workflows/${name}`)
  const { jobs, permissions } = parse(text)
  const steps = Object.values<{ steps: { run?: string }[] }>(jobs).flatMap((job) => job.steps)

  test('says that it is not run here, and may only read by default', () => {
    expect(text).toMatch(/^# Not run where this project is developed\./)
    expect(permissions).toEqual({ contents: 'read' })
  })

  test('uses the Node.js of the tests, and scripts that there are', () => {
    const versions = text.match(/(?<=node-version: |node:)[\d.]+/g) ?? []
    expect(new Set(versions)).toEqual(new Set([NODE]))
    const scripts = steps.flatMap(({ run = '' }) => run.match(/(?<=npm run )[\w:]+/g) ?? [])
    for (const script of scripts) expect(PACKAGE.scripts).toHaveProperty(script)
  })

  test('puts nothing that a name can hold into a script, but names of its own', () => {
    const placed = steps.flatMap(({ run = '' }) => run.match(/\$\{\{[^}]*\}\}/g) ?? [])
    for (const expression of placed) expect(expression).toMatch(/^\$\{\{ matrix\.name \}\}$/)
  })
})
