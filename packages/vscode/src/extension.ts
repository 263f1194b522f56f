import path from 'node:path';
import {
  commands,
  type ExtensionContext,
  ShellExecution,
  StatusBarAlignment,
  Task,
  TaskScope,
  tasks,
  type TextEditor,
  TextEditorRevealType,
  TextEditorSelectionChangeKind,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { LanguageClient, TransportKind, type ServerOptions } from 'vscode-languageclient/node.js';
import { linkedPage, type Chosen, type Revealed } from './page-bridge.js';
import { type Status, statusWords } from './status-words.js';

const languages = ['fencewright', 'litmus', 'trencher', 'memorax'];

/** The server that comes along, or the command that is set where the folder is trusted. */
function serverOptions({ extensionPath }: ExtensionContext): ServerOptions {
  const command = workspace.getConfiguration('fencewright').get<string>('path', '');
  if (command !== '' && workspace.isTrusted) return { command, args: ['lsp', '--stdio'] };
  const module = path.join(extensionPath, 'server', 'bin', 'fencewright.js');
  return { module, args: ['lsp'], transport: TransportKind.stdio };
}

function activeUri(): string | undefined {
  return window.activeTextEditor?.document.uri.toString();
}

/** Shows the state of the text in front. */
function watchStatus(context: ExtensionContext, client: LanguageClient): void {
  const statuses = new Map<string, Status>();
  const item = window.createStatusBarItem(StatusBarAlignment.Left);
  item.command = 'fencewright.checkFile';
  const show = (): void => {
    const document = window.activeTextEditor?.document;
    const text = document && statusWords(statuses.get(document.uri.toString()), document.version);
    if (text === undefined) item.hide();
    else {
      item.text = text;
      item.show();
    }
  };
  context.subscriptions.push(
    item,
    client.onNotification('fencewright/status', (status: Status) => {
      statuses.set(status.uri, status);
      show();
    }),
    window.onDidChangeActiveTextEditor(show),
    workspace.onDidChangeTextDocument(show),
  );
}

function revealLine(editor: TextEditor | undefined, line: number): void {
  if (!editor || line > editor.document.lineCount) return;
  const { range } = editor.document.lineAt(line - 1);
  editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
}

function nameOf(uri: string): string {
  return path.basename(Uri.parse(uri).path);
}

function showPage(title: string, html: string): WebviewPanel {
  const panel = window.createWebviewPanel('fencewright.page', title, ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
    localResourceRoots: [],
  });
  panel.webview.html = html;
  return panel;
}

/** The page of `explain` beside the text: each follows the other. */
async function explain(client: LanguageClient, uri = activeUri()): Promise<void> {
  if (uri === undefined) return;
  const answer = await client.sendRequest<{ readonly html: string | null } | null>(
    'fencewright/explain',
    { uri },
  );
  if (!answer?.html) {
    await window.showInformationMessage('Fencewright: there is nothing to explain.');
    return;
  }
  const panel = showPage(`Explain ${nameOf(uri)}`, linkedPage(answer.html));
  const editorOf = () =>
    window.visibleTextEditors.find((one) => one.document.uri.toString() === uri);
  panel.webview.onDidReceiveMessage((message: Revealed) => {
    if (message.kind === 'reveal') revealLine(editorOf(), message.line);
  });
  const following = window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
    const [selection] = selections;
    if (!selection || textEditor.document.uri.toString() !== uri) return;
    if (kind === TextEditorSelectionChangeKind.Command) return;
    const message: Chosen = { kind: 'step', line: selection.active.line + 1 };
    void panel.webview.postMessage(message);
  });
  panel.onDidDispose(() => {
    following.dispose();
  });
}

/** Final states and what is claimed, with executions that show what fails, beside the text. */
async function showFinalStates(client: LanguageClient, uri = activeUri()): Promise<void> {
  if (uri === undefined) return;
  const answer = await client.sendRequest<{ readonly html: string | null } | null>(
    'fencewright/reach',
    { uri },
  );
  if (answer?.html) showPage(`States of ${nameOf(uri)}`, answer.html);
  else await window.showInformationMessage('Fencewright: there is no answer for this program.');
}

/** A task that checks the file in front, as the command line does. */
function registerTasks(context: ExtensionContext): void {
  const taskFor = (file: string): Task => {
    const definition = { type: 'fencewright', file };
    const command = new ShellExecution('fencewright', ['check', file]);
    return new Task(
      definition,
      TaskScope.Workspace,
      `check ${path.basename(file)}`,
      'fencewright',
      command,
      ['$fencewright'],
    );
  };
  context.subscriptions.push(
    tasks.registerTaskProvider('fencewright', {
      provideTasks: (): Task[] => {
        const document = window.activeTextEditor?.document;
        const isProgram = document && languages.includes(document.languageId);
        return isProgram ? [taskFor(document.uri.fsPath)] : [];
      },
      resolveTask: ({ definition }) => taskFor((definition as { file?: string }).file ?? ''),
    }),
  );
}

/** Starts the server, and adds what its protocol has no words for. */
export async function activate(context: ExtensionContext): Promise<void> {
  const settings = workspace.getConfiguration('fencewright');
  const selected = settings.get<boolean>('checkC', false) ? [...languages, 'c', 'cpp'] : languages;
  const client: LanguageClient = new LanguageClient(
    'fencewright',
    'Fencewright',
    serverOptions(context),
    {
      documentSelector: selected.map((language) => ({ language })),
      initializationOptions: { check: settings.get<string>('check') },
      middleware: {
        // Pages stand beside the text here, not in a browser.
        executeCommand: async (command, args, next) => {
          const [uri] = args as readonly string[];
          if (command === 'fencewright.explain') await explain(client, uri);
          else if (command === 'fencewright.states') await showFinalStates(client, uri);
          else await next(command, args);
        },
      },
    },
  );
  const run = (command: string) => () => {
    const uri = activeUri();
    return client.sendRequest<unknown>('workspace/executeCommand', { command, arguments: [uri] });
  };
  const configured = workspace.onDidChangeConfiguration(() => {
    const check = workspace.getConfiguration('fencewright').get<string>('check');
    void client.sendNotification('workspace/didChangeConfiguration', {
      settings: { fencewright: { check } },
    });
  });
  watchStatus(context, client);
  registerTasks(context);
  context.subscriptions.push(
    client,
    configured,
    commands.registerCommand('fencewright.checkFile', run('fencewright.check')),
    commands.registerCommand('fencewright.fenceFile', run('fencewright.fence')),
    commands.registerCommand('fencewright.explainFile', () => explain(client)),
    commands.registerCommand('fencewright.showFinalStates', () => showFinalStates(client)),
  );
  await client.start();
}
