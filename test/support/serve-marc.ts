/** A command `marc` for shells that runs in this process, in a hundredth of the time of starting one. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { run } from './run-command.ts'
import { outputOf } from './run-program.ts'

// Opening a named pipe waits for the other end, which keeps both sides in step.
const CLIENT = `#!/bin/sh
cd "\${0%/*}"
printf '%s\\0' "$@" > asked
read -r code < code
cat out
cat err >&2
exit "$code"
`

/** Creates `bin/marc` in the folder of `inFolder` until the test ends. Only one may run at a time. */
export function serveMarc(): void {
  mkdirSync('bin')
  writeFileSync('bin/marc', CLIENT, { mode: 0o755 })
  outputOf('mkfifo', ['bin/asked', 'bin/code'])
  const served = serve()
  onTestFinished(async () => {
    await writeFile('bin/asked', '')
    await served
  })
}

async function serve(): Promise<void> {
  for (;;) {
    const asked = await readFile('bin/asked', 'utf8')
    if (asked === '') return
    const { code, stdout, stderr } = await run(asked.split('\0').slice(0, -1))
    await writeFile('bin/out', stdout)
    await writeFile('bin/err', stderr)
    await writeFile('bin/code', `${code}\n`)
  }
}
