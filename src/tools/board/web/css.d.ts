/** The bundler writes it to app.css. */
declare module '*.css' {}
