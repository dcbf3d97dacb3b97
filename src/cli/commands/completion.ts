import { defineCommand } from '../command/command.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { ownText } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { writeAll } from '../output/write-all.ts'
import { isShellName, SHELLS, type ShellName } from '../shell/shells.ts'

const NAMES = Object.keys(SHELLS) as ShellName[]

export const completion = defineCommand({
  usage: '<shell>',
  options: {
    shell: { choices: NAMES, demandOption: true, describe: `One of ${NAMES.join(', ')}` },
  },
  examples: [
    ['marc completion bash', 'for ~/.bashrc: eval "$(marc completion bash)"'],
    ['marc completion zsh', 'for a file _marc in a folder of fpath'],
    ['marc completion fish', 'for ~/.config/fish/completions/marc.fish'],
  ],
  async run({ shell }, { stdout }) {
    const name: string = shell
    if (!isShellName(name)) {
      throw new UsageError(
        `expected one of ${NAMES.join(', ')}, found ${JSON.stringify(name)}`,
        didYouMean(name, NAMES, 'marc completion '),
      )
    }
    await writeAll(stdout, [ownText(SHELLS[name])])
    return 0
  },
})
