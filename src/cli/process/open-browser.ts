import { spawn } from 'node:child_process'

/** The program that opens an address on each system. It gets the address as an argument, never in a command line. */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens an address in the browser of the user.
 *
 * @param url of http, https or file
 * @returns whether a browser could be started. It does not wait for it to end.
 */
export function openBrowser(url: string, platform: string = process.platform): Promise<boolean> {
  const [command = '', ...words] = OPENERS[platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
