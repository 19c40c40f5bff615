import { useEffect, useRef } from 'react'
import { showPicture } from '../file/stored-picture.ts'
import './rich-text.css'

/** An article as it will look, with pictures that nobody else may see yet. `html` was sanitised by the server. */
export function ArticlePreview({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null)
  // Without a source the browser does not ask for the pictures by itself, which it would do without the token.
  const unloaded = html.replaceAll(/(<img\b[^>]*?)\ssrc="/g, '$1 data-source="')
  useEffect(() => {
    const images = [...(element.current?.querySelectorAll('img') ?? [])]
    const stops = images.map((image) => showPicture(image, image.dataset.source ?? ''))
    return () => {
      for (const stop of stops) stop()
    }
  }, [html])
  return <div ref={element} className="prose" dangerouslySetInnerHTML={{ __html: unloaded }} />
}
