import type { Commit, Tag } from './git-repository.ts'

const readme = (teas: string) => `# Tea timer 🫖

Tells you when your tea is ready.

    npx tea-timer green

Teas: ${teas}.
`

const bin = `#!/usr/bin/env node
import { steep } from './src/timer.js'

const tea = process.argv[2] ?? 'black'
steep(tea, () => console.log('\\u0007Your tea is ready.'))
`

const teas = (...more: string[]) => `/** Minutes that each tea needs. */
export const TEAS = {
  black: 4,
  green: 2,
  oolong: 3,
${more.map((line) => `  ${line}\n`).join('')}}
`

const timer = `import { TEAS } from './teas.js'

/** Waits until the tea is ready. */
export function steep(tea, whenReady) {
  const minutes = TEAS[tea]
  if (minutes === undefined) throw new Error(\`No such tea: \${tea}\`)
  return setTimeout(whenReady, minutes * 60_000)
}
`

const patientTimer = (interval: string) => `import { TEAS } from './teas.js'

/** Waits until the tea is ready, even if the computer sleeps meanwhile. */
export function steep(tea, whenReady, now = Date.now) {
  const minutes = TEAS[tea]
  if (minutes === undefined) throw new Error(\`No such tea: \${tea}\`)
  const ready = now() + minutes * 60_000
  const tick = setInterval(() => {
    if (now() < ready) return
    clearInterval(tick)
    whenReady()
  }, ${interval})
  return tick
}
`

/** The history of tea-timer: two pull requests merged, three not. */
export const commits: readonly Commit[] = [
  {
    key: 'start',
    ref: 'heads/main',
    author: 'mona-lindqvist',
    at: '2024-01-14T16:02:11Z',
    message: 'Start with three teas',
    files: {
      'README.md': readme('black, green, oolong'),
      'package.json': '{ "name": "tea-timer", "version": "0.1.0", "type": "module" }\n',
      'src/teas.js': teas(),
      'src/timer.js': timer,
    },
  },
  {
    key: 'bell',
    ref: 'heads/main',
    author: 'mona-lindqvist',
    at: '2024-01-20T10:45:30Z',
    message: 'Ring the bell once the tea is ready',
    files: { 'bin.js': bin },
  },
  {
    key: 'white',
    ref: 'pull/2/head',
    author: 'teo-park',
    at: '2024-02-03T19:20:00Z',
    message: 'Add white tea',
    parents: ['bell'],
    files: { 'src/teas.js': teas('white: 5,') },
  },
  {
    key: 'white-longer',
    ref: 'pull/2/head',
    author: 'teo-park',
    at: '2024-02-04T08:12:41Z',
    message: 'Give white tea six minutes, and name it in the readme',
    files: {
      'src/teas.js': teas('white: 6,'),
      'README.md': readme('black, green, oolong, white'),
    },
  },
  {
    key: 'merge-white',
    ref: 'heads/main',
    author: 'mona-lindqvist',
    at: '2024-02-04T09:30:05Z',
    message: 'Merge pull request #2 from mona-lindqvist/white-tea\n\nAdd white tea',
    parents: ['bell', 'white-longer'],
    files: {
      'src/teas.js': teas('white: 6,'),
      'README.md': readme('black, green, oolong, white'),
    },
  },
  {
    key: 'patient',
    ref: 'pull/5/head',
    author: 'ines-okafor',
    at: '2024-11-09T21:14:55Z',
    message: 'Look at the clock instead of counting\n\nFixes #4.',
    parents: ['merge-white'],
    files: { 'src/timer.js': patientTimer('100') },
  },
  {
    key: 'less-hurry',
    ref: 'pull/5/head',
    author: 'ines-okafor',
    at: '2024-11-10T12:01:19Z',
    message: 'Look once a second',
    files: { 'src/timer.js': patientTimer('1000') },
  },
  {
    key: 'merge-patient',
    ref: 'heads/main',
    author: 'mona-lindqvist',
    at: '2024-11-11T07:40:00Z',
    message:
      'Merge pull request #5 from ines-okafor/sleepy\n\nLook at the clock instead of counting',
    parents: ['merge-white', 'less-hurry'],
    files: { 'src/timer.js': patientTimer('1000') },
  },
  {
    key: 'node-22',
    ref: 'pull/8/head',
    author: 'leaf-updates[bot]',
    at: '2025-05-02T04:00:12Z',
    message: 'Require Node.js 22',
    parents: ['merge-patient'],
    files: {
      'package.json': '{ "name": "tea-timer", "type": "module", "engines": { "node": ">=22" } }\n',
    },
  },
  {
    key: 'sing',
    ref: 'pull/9/head',
    author: 'teo-park',
    at: '2025-12-13T22:31:07Z',
    message: 'Sing instead of ringing 🎶',
    parents: ['merge-patient'],
    files: { 'bin.js': bin.replace('\\u0007Your tea is ready.', '♪ Polly, take the kettle off ♪') },
  },
]

export const tags: readonly Tag[] = [
  {
    name: 'v1.0.0',
    commit: 'merge-white',
    author: 'mona-lindqvist',
    at: '2024-02-05T18:00:00Z',
    message: 'Four teas',
  },
  {
    name: 'v1.1.0',
    commit: 'merge-patient',
    author: 'mona-lindqvist',
    at: '2024-11-11T08:00:00Z',
    message: 'Patience',
  },
]
