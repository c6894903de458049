/** A pointer that clicks, dark on light and light on dark. */
export const faviconSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <style>path { fill: #1d4ed8; stroke: #1d4ed8 } @media (prefers-color-scheme: dark) { path { fill: #93c5fd; stroke: #93c5fd } }</style>
  <path stroke="none" d="M12 11l16 6.5-7 2.8-2.8 7z"/>
  <path fill="none" style="fill: none" stroke-width="3" stroke-linecap="round" d="M10 3v3M3 10h3M5 5l2 2M15 5l-1.500 1.500M5 15l1.500-1.500"/>
</svg>
`
