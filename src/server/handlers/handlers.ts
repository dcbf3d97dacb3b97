import type { HandlerName } from '../../rest/endpoints.ts'
import type { Handler } from '../request-context.ts'
import { index, rateLimit, ready } from './service.ts'

/** The function that answers each endpoint. An endpoint without one is not served. */
export const HANDLERS: Readonly<Partial<Record<HandlerName, Handler>>> = {
  index,
  rateLimit,
  ready,
}
