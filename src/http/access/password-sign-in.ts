import { createHash, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { foldLogin, type TwoFactor } from './accounts-file.ts'
import { NO_PASSWORD, verifyPassword } from './password-hash.ts'

/**
 * The result for a user name and password: `wrong` also for an unknown login, `throttled` after too many failures,
 * `busy` if too many passwords are being tested.
 */
export type PasswordVerdict = 'right' | 'wrong' | 'throttled' | 'busy'

export type CodeVerdict = 'right' | 'missing' | 'wrong'

export interface PasswordSignIn {
  /** Tests a password; `hashed` is undefined for an unknown login and an account without a password. */
  verifyPassword(
    login: string,
    password: string,
    hashed: string | undefined,
  ): Promise<PasswordVerdict>
  /** Tests a one-time password after the password was right. A missing one does not count as a failure. */
  verifyCode(login: string, factor: TwoFactor | undefined, code: string | undefined): CodeVerdict
}

export interface SignInClocks {
  /** Milliseconds of a monotonic clock. */
  monotonic?: (() => number) | undefined
  /** Milliseconds since 1970 on the clock of the machine, as authenticators have it. */
  machineTime?: (() => number) | undefined
}

const AT_ONCE = 2
const WAITING = 16
const FAILURES = 10
const MINUTE = 60_000
/** Logins whose failures are remembered: the oldest are forgotten first. */
const REMEMBERED = 10_000
const PERIOD = 30

/**
 * Tests user names with passwords and one-time passwords. It takes as long for an unknown login as for a known one, and
 * refuses an account for the rest of a minute in which ten attempts failed. Each server counts for itself, also where
 * several share a state.
 */
export function createPasswordSignIn({
  monotonic = () => performance.now(),
  machineTime = Date.now,
}: SignInClocks = {}): PasswordSignIn {
  const failures = createFailureCount(monotonic)
  const inTurn = createTurns()
  const isCode = createCodeTest(machineTime)
  return {
    async verifyPassword(login, password, hashed = NO_PASSWORD) {
      if (failures.isFull(login)) return 'throttled'
      if (!inTurn.hasRoom()) return 'busy'
      const isRight = await inTurn.run(async () => {
        // Others may have failed meanwhile.
        if (failures.isFull(login)) return undefined
        return verifyPassword(password, hashed)
      })
      if (isRight === undefined) return 'throttled'
      if (isRight) return 'right'
      failures.add(login)
      return 'wrong'
    },
    verifyCode(login, factor, code) {
      if (!factor) return 'right'
      if (code === undefined || code === '') return 'missing'
      if (isCode(login, factor, code)) return 'right'
      failures.add(login)
      return 'wrong'
    },
  }
}

/** The address that sets up an authenticator for an account. */
export const otpAddress = (login: string, secret: string): string =>
  new TOTP({
    issuer: 'migration-archive',
    label: login,
    secret: Secret.fromBase32(secret),
  }).toString()

/** A new TOTP secret of 160 bits in base32. */
export const createOtpSecret = (): string => new Secret({ size: 20 }).base32

function createFailureCount(monotonic: () => number) {
  const counts = new Map<string, { since: number; failures: number }>()
  const current = (key: string) => {
    const count = counts.get(key)
    return count && monotonic() - count.since < MINUTE ? count : undefined
  }
  return {
    isFull: (login: string) => (current(foldLogin(login))?.failures ?? 0) >= FAILURES,
    add(login: string) {
      const key = foldLogin(login)
      const count = current(key) ?? { since: monotonic(), failures: 0 }
      counts.delete(key)
      counts.set(key, { ...count, failures: count.failures + 1 })
      const [oldest] = counts.keys()
      if (counts.size > REMEMBERED) counts.delete(oldest as string)
    },
  }
}

/** Lets two run at the same time and sixteen wait. */
function createTurns() {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    hasRoom: () => running < AT_ONCE || waiting.length < WAITING,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < AT_ONCE) running++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}

/** Compares two texts in constant time. */
const isSameText = (left: string, right: string): boolean =>
  timingSafeEqual(
    createHash('sha256').update(left).digest(),
    createHash('sha256').update(right).digest(),
  )

/** Tests one-time passwords, and accepts each only once. */
function createCodeTest(machineTime: () => number) {
  const used = new Map<string, number[]>()
  return (login: string, { secret, code }: TwoFactor, input: string): boolean => {
    if (secret === undefined) return isSameText(input, code ?? '')
    const timestamp = machineTime()
    const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD })
    const delta = totp.validate({ token: input, window: 1, timestamp })
    if (delta === null) return false
    const now = Math.floor(timestamp / 1000 / PERIOD)
    const key = foldLogin(login)
    const steps = used.get(key) ?? []
    if (steps.includes(now + delta)) return false
    used.set(key, [...steps.filter((step) => step >= now - 1), now + delta])
    return true
  }
}
