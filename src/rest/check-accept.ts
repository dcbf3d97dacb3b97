import { HttpError } from '../http/http-error.ts'
import { type Endpoint, takesAnyAccept } from '../interface/endpoint.ts'
import type { MediaType } from '../interface/media-types.ts'

const PREVIEW_NEEDED =
  "If you would like to help us test the Migrations API during its preview period, you must specify a custom media type in the 'Accept' header. Please see the docs for full details."

/**
 * Checks the `Accept` header of a request.
 *
 * @param strictPreview accept nothing but the preview where an endpoint needs one
 * @throws `HttpError` 415 where it does not admit JSON, or lacks the preview
 */
export function checkAccept(
  endpoint: Endpoint,
  media: MediaType,
  accept: string | null,
  strictPreview = false,
): void {
  if (takesAnyAccept(endpoint)) return
  const { previews = [] } = endpoint
  const needsPreview = previews.includes('wyandotte')
  const hasPreview = media.previews.has('wyandotte') || (!strictPreview && media.isVersion3)
  if (needsPreview && !hasPreview) throw new HttpError(415, PREVIEW_NEEDED)
  const takesBytes = endpoint.hasBytes && media.acceptsBytes
  if (!media.acceptsJson && !takesBytes) {
    const message = `Unsupported 'Accept' header: ${accept ?? ''}. Must accept 'application/json'.`
    throw new HttpError(415, message)
  }
}
