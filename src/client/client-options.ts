import { setTimeout as wait } from 'node:timers/promises'
import {
  aFlag,
  aFunction,
  anyOf,
  aPath,
  aSignal,
  aText,
  integerFrom,
  objectOf,
  type Shapes,
} from '../base/check-arguments.ts'

/** How a client measures time and waits. Tests pass one that only counts. */
export interface ClientClock {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** From 0 to 1; spreads the polls of many clients. */
  random(): number
}

export const SYSTEM_CLOCK: ClientClock = {
  now: () => performance.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, signal && { signal }),
  random: Math.random,
}

/** How an account receives its one-time passwords. */
export type OtpDelivery = 'app' | 'SMS'

/** A request and its answer, without credentials and without signatures. */
export interface Exchange {
  /** GET, POST or DELETE. */
  method: string
  /** The URL of the request. */
  address: string
  /** Undefined if there was no answer. */
  status: number | undefined
  /** Time until the headers of the answer came, or the failure. */
  milliseconds: number
}

/** The server, the credentials, and how to use them. */
export interface ClientOptions {
  /** `github` for the API of github.com, or the base address of another server, such as `https://git.example/api/v3`. */
  server: string
  /** A token, or a function that gives one when it is first needed. Without it requests carry no credentials. */
  token?: string | (() => string | Promise<string>) | undefined
  /** Use the migrations of this organization instead of those of the caller. */
  organization?: string | undefined
  /** Allow credentials on plain HTTP to another machine. */
  insecure?: boolean | undefined
  /** Asks for a one-time password. Default: requests that need one fail with `otp-required`. */
  oneTimePassword?: ((delivery: OtpDelivery) => Promise<string>) | undefined
  /** Receives messages for people, one line each. */
  notice?: ((text: string) => void) | undefined
  /** Receives every request with its answer. */
  trace?: ((exchange: Exchange) => void) | undefined
  /** Milliseconds without a byte after which a connection counts as broken. Default 60,000. */
  stallAfter?: number | undefined
  /** Default: the clock of the machine. */
  clock?: ClientClock | undefined
  /** Stops waiting and downloading, with `interrupted`. */
  signal?: AbortSignal | undefined
}

const CLOCK_METHODS = { now: aFunction, sleep: aFunction, random: aFunction }
const aClock = objectOf(CLOCK_METHODS, Object.keys(CLOCK_METHODS))

export const CLIENT_SHAPES: Shapes<ClientOptions> = {
  server: aPath,
  token: anyOf('a token or a function', aText, aFunction),
  organization: aPath,
  insecure: aFlag,
  oneTimePassword: aFunction,
  notice: aFunction,
  trace: aFunction,
  stallAfter: integerFrom(1, 2 ** 31 - 1),
  clock: aClock,
  signal: aSignal,
}
