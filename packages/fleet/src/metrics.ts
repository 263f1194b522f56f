import { createServer, type Server } from 'node:http';

/** The counters of a worker. */
export interface WorkerCounts {
  jobs: number;
  states: number;
  seconds: number;
  deaths: number;
}

const words: Readonly<Record<keyof WorkerCounts, string>> = {
  jobs: 'Jobs that this worker has done.',
  states: 'States that the searches of these jobs explored.',
  seconds: 'Seconds spent on these jobs.',
  deaths: 'Processes that died during a job.',
};

/** Returns the counts in the text form of Prometheus. */
export function countsText(counts: WorkerCounts): string {
  return (Object.keys(words) as (keyof WorkerCounts)[])
    .map((name) => {
      const full = `fencewright_worker_${name}_total`;
      return `# HELP ${full} ${words[name]}\n# TYPE ${full} counter\n${full} ${counts[name]}\n`;
    })
    .join('');
}

/** Serves `/metrics` and `/healthz`; resolves to the server once the server listens. */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  text: () => Promise<string>,
): Promise<Server> {
  const server = createServer((request, response) => {
    const end = (status: number, said: string): void => {
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
      response.end(said);
    };
    if (request.url === '/healthz') end(200, 'ok\n');
    else if (request.url === '/metrics')
      text().then(
        (said) => end(200, said),
        () => end(503, 'the queue does not answer\n'),
      );
    else end(404, 'there is /metrics and /healthz\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, resolve);
  });
  return server;
}
